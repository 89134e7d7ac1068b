import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

type When = 'answered' | 'unseen' | 'silent';

/** For specs: a proxy to the server that can lose messages and answers. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Breaks the connection at the next `times` messages that contain `text`: after the server has carried them out (`answered`), or before it has
   * seen them (`unseen`). `silent` breaks no connection. From the first such message on nothing passes, as in a network that drops all packets,
   * until `thaw` lets new connections pass.
   */
  cut(text: string, when: When, times: number): void;
  thaw(): void;
  /** Messages that were cut since the start. */
  cuts(): number;
  close(): Promise<void>;
}

export async function cuttingProxy(host: string, port: number): Promise<CuttingProxy> {
  let [text, when, remaining, done]: [string, When, number, number] = ['', 'unseen', 0, 0];
  const open = new Set<Socket>();
  let frozen = false;
  const proxy = createServer((client) => {
    const server = connect(port, host);
    let cutting = false;
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    if (frozen) client.pause();
    client.on('data', (data) => {
      const hit = remaining > 0 && data.includes(text);
      if (hit) {
        remaining -= 1;
        done += 1;
        if (when === 'unseen') return client.destroy();
        if (when === 'silent') {
          frozen = true;
          for (const socket of open) socket.pause();
          return;
        }
        cutting = true;
      }
      return server.write(data);
    });
    server.on('data', (data) => (cutting ? client.destroy() : client.write(data)));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    cut: (...next) => {
      [text, when, remaining] = next;
    },
    thaw() {
      frozen = false;
    },
    cuts: () => done,
    async close() {
      const closeEvent = once(proxy, 'close');
      proxy.close();
      for (const socket of open) socket.destroy();
      await closeEvent;
    },
  };
}
