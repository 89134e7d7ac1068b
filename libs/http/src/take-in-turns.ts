import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { waitForTurn } from '@assurance/kernel';
import { handleFirst } from './handle-first';
import { networkOf } from './network-of';

/**
 * How many connections are ended in one turn of the event loop: `few`, or this `part` of the waiting ones if that is
 * more, so that few ever wait. Ending one takes 0.1 ms to more than 1 ms, in Node, in the system and in listeners.
 */
const ENDS = { few: 4, part: 1 / 16 } as const;

type Destroy = (this: Socket, fault: Error | null, callback: (fault?: Error | null) => void) => void;

/**
 * Begins requests and ends connections in small groups. Node emits all requests and ends that arrived while the thread
 * was busy in one turn of the event loop: after a burst of some hundreds, nothing else would run until all of them are
 * done. Requests wait in a queue by their key, which is not checked yet. A request is dropped if its client disconnects
 * while it waits. Call this last, because its listener must come before all others.
 */
export function takeInTurns(server: Server): void {
  handleFirst(server, (request, response, pass) => {
    const begin = () => {
      // `close` was emitted already, so a listener that waits for it would wait for ever.
      if (response.destroyed || request.socket.destroyed) return;
      pass(request, response);
    };
    const turn = waitForTurn(() => keyOf(request));
    if (turn === undefined) begin();
    else void turn.then(begin);
  });
  const ends = new ConnectionEnds();
  server.on('connection', (socket: Socket) => {
    const destroy = socket._destroy as Destroy;
    socket._destroy = (fault, done) => ends.add(() => destroy.call(socket, fault, done));
  });
}

/**
 * Distinguishes callers before the key is checked, so that callers behind one proxy or network do not wait for each
 * other.
 */
function keyOf({ headers, socket }: IncomingMessage): string {
  return `${networkOf(socket.remoteAddress ?? '')} ${headers.authorization ?? headers.cookie ?? ''}`;
}

/** Ends connections, some in each turn of the event loop. */
export class ConnectionEnds {
  private readonly waitingEnds: (() => void)[] = [];
  private endsLeft: number = ENDS.few;
  private planned = false;

  /** Runs `end` in this turn, or in one of the next. */
  add(end: () => void): void {
    if (this.endsLeft === 0) this.waitingEnds.push(end);
    else this.run(end);
  }

  private run(end: () => void): void {
    this.endsLeft -= 1;
    if (!this.planned) setImmediate(() => this.next());
    this.planned = true;
    end();
  }

  private next(): void {
    this.planned = false;
    this.endsLeft = Math.max(ENDS.few, Math.ceil(this.waitingEnds.length * ENDS.part));
    for (const end of this.waitingEnds.splice(0, this.endsLeft)) this.run(end);
  }
}
