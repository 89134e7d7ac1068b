import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before the gateways: it strips the path prefix and uses the gateways in turn. */
export interface Proxy {
  /** Where browsers find the pages: with the path, without a slash at the end. */
  readonly url: string;
  /** Method and path of every request that it passed on. */
  readonly passed: string[];
  /** From now on requests go to these. */
  to(targets: readonly string[]): void;
  stop(): Promise<void>;
}

/** @param below such as `/assurance`; requests for anything else are answered 404 */
export async function startProxy(below: string): Promise<Proxy> {
  const passed: string[] = [];
  let targets: readonly string[] = [];
  const server = createServer((clientRequest, answered) => {
    const url = clientRequest.url ?? '';
    const target = targets[passed.length % targets.length];
    if (target === undefined || !url.startsWith(`${below}/`)) {
      answered.writeHead(404).end();
      return;
    }
    passed.push(`${clientRequest.method} ${url}`);
    pass(clientRequest, answered, target, url.slice(below.length));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    passed,
    to: (these) => (targets = these),
    stop: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Keeps all headers, including the browser's `Host`. When one side disconnects, the other side is closed. */
function pass(clientRequest: IncomingMessage, answered: ServerResponse, target: string, path: string): void {
  const { method, headers } = clientRequest;
  const onward = request(`${target}${path}`, { method, headers }, (answer) => {
    answered.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(answered);
  });
  onward.once('error', () => answered.destroy());
  answered.once('close', () => onward.destroy());
  clientRequest.pipe(onward);
}
