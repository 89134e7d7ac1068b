import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { networkOf } from '../http';

/** The network of a reporter without settings. */
export const NETWORK = networkOf({ proxy: null, caFile: null }, {});

export interface ReplayedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects are sent as JSON. */
  readonly body?: object | string;
}

/** A local server that replays the answers of a cloud. */
export class Cloud {
  readonly requests: string[] = [];
  answer: (request: IncomingMessage, body: string) => ReplayedResponse = () => ({ status: 500 });
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((received) => {
        this.requests.push(`${request.method} ${request.url}`);
        const { status = 200, headers = {}, body = '' } = this.answer(request, received);
        const type = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
        response.writeHead(status, { ...type, ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
  }

  /** @param at path of a socket; a free port if left out */
  async start(at?: string): Promise<string> {
    await once(at === undefined ? this.server.listen(0, '127.0.0.1') : this.server.listen(at), 'listening');
    return at ?? `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export const digest = (digit: string) => digit.repeat(64).slice(0, 64);
