import { PassThrough } from 'node:stream';
import type { Identity } from '@assurance/http';

/** A client with more unread bytes than this is disconnected, and reconnects. */
const UNREAD_MAX = 64 * 1024;

/** An open connection that receives the changes of an organization. */
export class Follower {
  readonly stream = new PassThrough();
  /** True after the connection got its starting position. From then on it gets all changes. */
  ready = false;

  constructor(
    readonly identity: Identity,
    /** The position that the caller has already received. */
    public revision: number,
  ) {}

  /** @param data is sent as one line of JSON */
  send(event: 'ready' | 'changed' | 'ended', data: object): void {
    this.write(`event: ${event}\nid: ${this.revision}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  sendHeartbeat(): void {
    this.write(':\n\n');
  }

  end(): void {
    this.send('ended', {});
    this.stream.end();
  }

  private write(text: string): void {
    if (this.stream.writableEnded) return;
    if (this.stream.writableLength > UNREAD_MAX) this.stream.destroy();
    else this.stream.write(text);
  }
}
