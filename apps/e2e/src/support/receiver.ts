import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers a request in the way that a test sets. */
export type Behave = (response: ServerResponse, received: ReceivedRequest) => void;

/** An HTTP server on loopback that takes messages, and misbehaves on request. */
export class Receiver {
  readonly received: ReceivedRequest[] = [];
  private readonly behaviours = new Map<string, Behave>();
  private readonly server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const received = { path: request.url ?? '', headers: request.headers, body };
      this.received.push(received);
      const behave = this.behaviours.get(received.path) ?? ((answer: ServerResponse) => answer.writeHead(204).end());
      behave(response, received);
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Sets the answer to requests of a path from now on. */
  on(path: string, behave: Behave): void {
    this.behaviours.set(path, behave);
  }

  at(path: string): ReceivedRequest[] {
    return this.received.filter((request) => request.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
