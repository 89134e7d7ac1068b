import { keyOf } from './support/declared';
import { environment } from './support/samples';
import { onEveryDeployment } from './support/world';

const KIB = 1_024;
const LIST = '/api/v2/repos/acme';
/** A small report does not pass Fastify. */
const REPORT = '/api/v2/environments/acme/none/report/docker';
const DOCUMENT = '/api/v2/openapi.json';

/** A header of so many bytes, name and value together. */
function field(name: string, bytes: number): [string, string] {
  return [name, 'a'.repeat(bytes - name.length)];
}

onEveryDeployment((world) => {
  const authorization = () => ['authorization', `Bearer ${keyOf('admin', world().org)}`];
  const get = (path: string, ...headers: string[]) =>
    world()
      .as('admin')
      .sendRaw('GET', path, [...authorization(), ...headers]);

  it.each([
    ['a list', 'GET', LIST],
    ['a report', 'PUT', REPORT],
    ['a public document', 'GET', DOCUMENT],
    ['no route', 'GET', '/api/v2/none'],
  ])('refuses an address and headers that are too long on %s', async (_, method, path) => {
    const send = (url: string, ...headers: string[]) =>
      world()
        .as('admin')
        .sendRaw(method, url, [...authorization(), 'content-length', '0', ...headers]);
    expect(await send(`${path}?`.padEnd(8 * KIB + 1, 'a'))).toMatchObject({
      status: 414,
      body: { message: expect.stringMatching(/^The address has 8\d+ bytes, more than the limit of 8192 bytes\. Send/) },
    });
    for (const name of ['te', 'accept-encoding', 'authorization', 'x-other']) {
      expect(await send(path, ...field(name, 8 * KIB + 100))).toMatchObject({
        status: 431,
        body: { message: expect.stringMatching(`^The header '${name}' has \\d+ bytes, more than the limit of 8192`) },
      });
    }
    const cookie = await send(path, ...field('cookie', 16 * KIB + 1));
    expect(cookie).toMatchObject({
      status: 431,
      body: { message: "The header 'cookie' has 16385 bytes, more than the limit of 16384 bytes. Send a shorter one" },
    });
    const headers = ['a', 'b', 'c', 'd'].flatMap((name) => field(name, 8 * KIB));
    expect(await send(path, ...headers)).toMatchObject({
      status: 431,
      body: { message: expect.stringMatching(/^The headers have \d+ bytes, more than the limit of 32768 bytes/) },
    });
    for (const [name, value] of Object.entries({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })) {
      expect(cookie.headers.get(name)).toBe(value);
    }
  });

  it('refuses more headers than it reads', async () => {
    // Node itself refuses more than 1,000.
    for (const count of [1_000, 1_500]) {
      const many = Array.from({ length: count }, (_, i) => [`x-${i}`, 'a']).flat();
      expect(await get(LIST, ...many)).toMatchObject({
        status: 431,
        body: { message: expect.stringMatching('999 headers') },
      });
    }
  });

  it('answers a caller whose address and headers are as long as they may be', async () => {
    const cookies = field('cookie', 16 * KIB);
    const others = ['x-a', 'x-b'].map((name) => field(name, 8 * KIB - 200)).flat();
    const url = `${LIST}?page=1&per_page=2&name=`.padEnd(8 * KIB - 100, 'a');
    expect((await get(url, ...cookies, ...others)).status).toBe(200);
    expect((await get(LIST, ...others, ...['x-c', 'x-d'].flatMap((name) => field(name, 8 * KIB - 200)))).status).toBe(
      200,
    );
  });

  it('answers a list whose query fills its address', async () => {
    for (let i = 0; i < 3; i += 1) await environment(world().as('admin'));
    const types = 'type=docker&'.repeat((8 * KIB - 100) / 12);
    const { status, body, headers } = await get(`/api/v2/environments/acme?per_page=1&page=2&${types}`);
    expect([status, body]).toEqual([200, expect.objectContaining({ total_count: 3 })]);
    // Clients read at most 16 KiB of headers, and each link repeats the query.
    expect(headers.get('link')).toBe(null);
    const short = await get('/api/v2/environments/acme?per_page=1&page=2&type=docker');
    expect(short.headers.get('link')).toMatch(/rel="next"/);
  });
});
