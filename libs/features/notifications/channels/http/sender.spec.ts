import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NO_PROXIES } from '@assurance/kernel';
import { OutgoingProxy } from '@assurance/testing/outgoing-proxy';
import { addressRule } from '@assurance/http/outgoing/addresses';
import type { Resolve } from '@assurance/http/outgoing/guard';
import { Sender, sentOf } from './sender';

const unresolved: Resolve = (host, _options, done) =>
  done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
const to =
  (...addresses: string[]): Resolve =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );

describe('a sender', () => {
  const seen: IncomingMessage[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    seen.push(request);
    const { headers, url } = request;
    response
      .writeHead(status)
      .end(`${url} ${headers.authorization ?? ''} ${atob(headers.authorization?.slice(6) ?? '')}`);
  });
  const senders: Sender[] = [];
  let proxy: OutgoingProxy;
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    proxy = await OutgoingProxy.start({ 'hooks.example.com:80': port });
  });
  beforeEach(() => {
    [seen.length, proxy.requests.length, status] = [0, 0, 204];
  });
  afterAll(async () => {
    for (const sender of senders) await sender.close();
    await proxy.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const send = async (url: string, resolve: Resolve, direct: readonly string[] = [], by = proxy.url) => {
    const proxies = { http: by, https: by, direct };
    const sender = new Sender(addressRule([]), resolve, undefined, proxies);
    senders.push(sender);
    const answered = await sender.post(url, '{}', {});
    return 'status' in answered ? sentOf(answered) : answered;
  };

  describe('behind a proxy', () => {
    it('sends what the proxy alone can resolve', async () => {
      expect(await send('http://hooks.example.com/a?b=c', unresolved)).toEqual({
        delivered: true,
        detail: 'answered 204',
      });
      expect(proxy.requests).toEqual(['POST http://hooks.example.com/a?b=c']);
      expect(seen.map(({ url, headers }) => [url, headers.host, headers['proxy-authorization']])).toEqual([
        ['/a?b=c', 'hooks.example.com', undefined],
      ]);
    });

    it('opens a tunnel for https, and says what failed in it, without the login of the proxy', async () => {
      const sent = await send(`https://hooks.example.com:${port}/`, to('93.184.216.34'));
      expect(proxy.requests).toEqual([`CONNECT hooks.example.com:${port}`]);
      expect(sent).toMatchObject({ delivered: false, detail: expect.stringContaining(`the proxy ${proxy.host}: `) });
      expect(sent.detail).not.toContain(proxy.password);
    });

    it.each(['http', 'https'])('says that the proxy refused it, and tries %s again', async (scheme) => {
      const sent = await send(
        `${scheme}://hooks.example.com/`,
        unresolved,
        [],
        `http://x:wrong-password@${proxy.host}`,
      );
      expect(sent).toMatchObject({ delivered: false, detail: expect.stringMatching(/407/) });
      expect(sent).not.toHaveProperty('final');
      expect(sent).not.toHaveProperty('triesMax');
      expect([seen.length, sent.detail.includes('wrong-password')]).toEqual([0, false]);
    });

    it.each([
      'http://127.0.0.1:1/',
      'https://[::1]/',
      'http://2130706433/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::ffff:10.0.0.1]/',
    ])('sends to no address like %s', async (url) => {
      expect(await send(url, unresolved)).toMatchObject({
        final: true,
        detail: expect.stringContaining('is not public'),
      });
      expect(proxy.requests).toEqual([]);
    });

    it('sends to no name that has an address inside', async () => {
      const sent = await send('https://hooks.example.com/', to('93.184.216.34', '10.0.0.1'));
      expect(sent).toMatchObject({ final: true, detail: expect.stringContaining('10.0.0.1 is not public') });
      expect(proxy.requests).toEqual([]);
    });

    it('sends to no name that the name server resolves slowly, and tries it again', async () => {
      const slow: Resolve = (_host, _options, done) =>
        void setTimeout(() => done(null, [{ address: '10.0.0.1', family: 4 }]), 2_200);
      const sent = await send('http://hooks.example.com/', slow);
      expect(sent).toEqual({ delivered: false, detail: expect.stringContaining('was not resolved within 2000 ms') });
      expect([proxy.requests, seen.length]).toEqual([[], 0]);
    });

    it.each(['metadata.google.internal', 'printer.local', 'kafka', 'a.localhost', 'db.corp.', 'router.home.arpa'])(
      'sends to no name of a private network that cannot be resolved here, like %s',
      async (name) => {
        expect(await send(`https://${name}/`, unresolved)).toMatchObject({ delivered: false, final: true });
        expect(proxy.requests).toEqual([]);
      },
    );

    it('reaches what NO_PROXY names directly, by the same rule of addresses', async () => {
      const sent = await send(`http://hooks.example.com:${port}/`, to('127.0.0.1'), ['.example.com']);
      expect(sent).toMatchObject({ final: true, detail: expect.stringContaining('127.0.0.1 is not public') });
      expect([proxy.requests, seen.length]).toEqual([[], 0]);
    });
  });

  describe('with user and password in the URL', () => {
    it.each([
      ['ci:planted%20p%40ss', 'ci:planted p@ss'],
      ['planted-token', 'planted-token:'],
      [':planted-alone', ':planted-alone'],
      ['ci:100%planted', 'ci:100%planted'],
    ])('authenticates as %s, and repeats nothing of it', async (userinfo, plain) => {
      status = 500;
      const url = `http://${userinfo}@127.0.0.1:${port}/hook`;
      const sender = new Sender(addressRule(['127.0.0.0/8']), unresolved, undefined, NO_PROXIES);
      senders.push(sender);
      const answered = await sender.post(url, '{}', {});
      expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from(plain).toString('base64')}`);
      expect(seen[0]?.url).toBe('/hook');
      expect(JSON.stringify(answered)).not.toMatch(/planted|p@ss/);
      expect(JSON.stringify(answered)).not.toContain(Buffer.from(plain).toString('base64'));
    });
  });
});

describe('a status', () => {
  const sent = (status: number, retryAfter: string | null = null) => sentOf({ status, retryAfter, text: 'no' });

  it.each([400, 402, 405, 406, 411, 412, 413, 414, 415, 416, 417, 418, 422, 426, 428, 431, 451])(
    '%i refuses the message for good: it is tried once',
    (status) => expect(sent(status)).toEqual({ delivered: false, detail: `answered ${status}: no`, triesMax: 1 }),
  );
  it('410 does so for the target', () =>
    expect(sent(410)).toEqual({ delivered: false, detail: 'answered 410: no', final: true }));
  it.each([401, 403, 404])('%i is tried for some minutes', (status) =>
    expect(sent(status)).toEqual({ delivered: false, detail: `answered ${status}: no`, triesMax: 8 }),
  );
  it.each([407, 408, 409, 421, 423, 425, 429, 500, 502, 503, 504])('%i is tried as often as may be', (status) =>
    expect(sent(status)).toEqual({ delivered: false, detail: `answered ${status}: no` }),
  );
  it('with Retry-After is tried then', () =>
    expect(sent(404, '7')).toEqual({ delivered: false, detail: 'answered 404: no', retryAfter: '7' }));
});
