import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

const USER = 'outgoing';
const PASSWORD = 'planted-proxy-password';

/** An HTTP proxy on loopback that wants a login: it opens tunnels (CONNECT), and passes on requests that name a whole address. */
export class OutgoingProxy {
  /** What it was asked for: `CONNECT host:port`, or the method and the address. */
  readonly requests: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((from, answer) => this.pass(from, answer));

  /** @param hosts ports on loopback by the `host:port` that is asked for, which nothing else has to resolve */
  private constructor(private readonly hosts: ReadonlyMap<string, number>) {
    this.server.on('connect', (from: IncomingMessage, socket: Socket) => this.tunnel(from, socket));
    this.server.on('connection', (socket: Socket) => this.sockets.add(socket));
  }

  static async start(hosts: Readonly<Record<string, number>> = {}): Promise<OutgoingProxy> {
    const proxy = new OutgoingProxy(new Map(Object.entries(hosts)));
    await new Promise<void>((listening) => proxy.server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  /** With its login. */
  get url(): string {
    return `http://${USER}:${PASSWORD}@${this.host}`;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Nobody may see it. */
  get password(): string {
    return PASSWORD;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((stopped) => this.server.close(stopped));
  }

  private tunnel(from: IncomingMessage, socket: Socket): void {
    this.requests.push(`CONNECT ${from.url}`);
    socket.on('error', () => undefined);
    if (!isKnown(from)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${from.url}`);
    const to = connect(this.portOf(hostname, port || '80'), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      to.pipe(socket);
      socket.pipe(to);
    });
    this.sockets.add(to);
    to.on('error', () => socket.destroy());
    socket.on('close', () => to.destroy());
  }

  private pass(from: IncomingMessage, answer: ServerResponse): void {
    this.requests.push(`${from.method} ${from.url}`);
    if (!isKnown(from)) {
      answer.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const { hostname, port, pathname, search } = new URL(from.url ?? '');
    const { 'proxy-authorization': _login, ...headers } = from.headers;
    const target = { host: '127.0.0.1', port: this.portOf(hostname, port || '80'), path: pathname + search };
    const to = request({ ...target, method: from.method ?? 'GET', headers }, (actual) => {
      answer.writeHead(actual.statusCode ?? 502, actual.headers);
      actual.pipe(answer);
    });
    to.on('error', () => answer.destroy());
    from.pipe(to);
  }

  private portOf(hostname: string, port: string): number {
    return this.hosts.get(`${hostname}:${port}`) ?? Number(port);
  }
}

function isKnown({ headers }: IncomingMessage): boolean {
  return headers['proxy-authorization'] === `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
}
