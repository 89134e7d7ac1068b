import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { onOwnServices, type World } from './support/world';

/** A build of pages, as small as one can be. */
const FOLDER = mkdtempSync(join(tmpdir(), 'assurance-pages-'));
const SCRIPT = `export const shown = '${'a page '.repeat(100)}';`;
const HTML = '<!doctype html>\n<html><head><base href="/" /><title>Pages</title></head></html>';
mkdirSync(join(FOLDER, 'assets'));
writeFileSync(join(FOLDER, 'index.html'), HTML);
writeFileSync(join(FOLDER, 'index.html.br'), brotliCompressSync(HTML));
writeFileSync(join(FOLDER, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(FOLDER, 'assets', 'app-1a2b3c.js'), SCRIPT);
writeFileSync(join(FOLDER, 'assets', 'app-1a2b3c.js.br'), brotliCompressSync(SCRIPT));
writeFileSync(join(FOLDER, 'assets', 'app-1a2b3c.js.gz'), gzipSync(SCRIPT));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const SETTINGS = { ASSURANCE_PAGES_DIR: FOLDER, ASSURANCE_PUBLIC_URL: 'https://example.com/assurance' };

/** `fetch` would tidy the path up and unpack what is compressed. */
function get(world: World, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; bytes: Buffer }>(
    (resolve, reject) => {
      const call = request(world.url, { path, method, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }),
        );
      });
      call.on('error', reject);
      call.end();
    },
  );
}

onOwnServices((world) => {
  it.each([
    '/',
    '/acme',
    '/acme/environments/production?tab=events',
    '/acme/flows/a%2Fb/trails/%F0%9F%90%99',
    '/apiary',
  ])('answers %s with the entry page, which says where it is and is never kept', async (path) => {
    const { status, headers, bytes } = await get(world(), path, { accept: BROWSER });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(bytes.toString()).toBe(HTML.replace('<base href="/" />', '<base href="/assurance/" />'));
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['*/*', '*/*;q=0.8', 'text/*', 'text/html'])(
    'answers a page to who takes %s, to HEAD too',
    async (accept) => {
      for (const path of ['/', '/acme', '/acme/environments/prod.eu', '/acme/flows/a/trails/v1.2.3?attestation_id=1']) {
        const { status, headers, bytes } = await get(world(), path, { accept });
        expect([status, headers['content-type'], headers['vary']]).toEqual([200, 'text/html; charset=utf-8', 'accept']);
        expect(bytes.toString()).toContain('<title>Pages</title>');
        const head = await get(world(), path, { accept }, 'HEAD');
        expect([head.status, head.headers['content-type'], head.bytes.length]).toEqual([
          200,
          'text/html; charset=utf-8',
          0,
        ]);
      }
    },
  );

  it('separates its window from others over HTTPS', async () => {
    const { headers } = await get(world(), '/acme', { accept: BROWSER });
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  it('restricts browsers to its own host', async () => {
    for (const path of ['/acme', '/icon.svg']) {
      const { headers } = await get(world(), path, { accept: BROWSER });
      const policy = String(headers['content-security-policy']);
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'self'",
        ]),
      );
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff' });
      expect(headers['permissions-policy']).toContain('camera=()');
    }
    const { headers } = await get(world(), '/assets/app-1a2b3c.js', { accept: BROWSER });
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['br, gzip', 'br', brotliCompressSync(SCRIPT)],
    ['gzip, deflate', 'gzip', gzipSync(SCRIPT)],
    ['br;q=0, gzip;q=0.5', 'gzip', gzipSync(SCRIPT)],
    ['identity', undefined, Buffer.from(SCRIPT)],
  ])('answers a file to who takes %s, for ever', async (accepted, encoding, content) => {
    const { status, headers, bytes } = await get(world(), '/assets/app-1a2b3c.js', { 'accept-encoding': accepted });
    expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
      200,
      encoding,
      'text/javascript; charset=utf-8',
    ]);
    expect(bytes.equals(content)).toBe(true);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' });
  });

  it.each([
    ['/api/v2/nothing', BROWSER],
    ['/api', BROWSER],
    ['/acme', 'application/json'],
    ['/acme', 'application/json, text/plain, */*'],
    ['/api/v2/environments', '*/*'],
    ['/schemas/other', '*/*'],
    ['/robots.txt', '*/*'],
    ['/assets/other.js', BROWSER],
    ['/assets/../index.html.br', BROWSER],
    ['/assets/%2e%2e%2findex.html', BROWSER],
    ['/index.html.br', '*/*'],
  ])('answers %s to who takes %s as before: there is no such route', async (path, accept) => {
    const { status, headers, bytes } = await get(world(), path, { accept });
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(JSON.parse(bytes.toString())).toEqual({ message: 'There is no such route' });
  });

  it('names the methods of a path of the API', async () => {
    const { status, headers } = await get(world(), '/api/v2/sessions', { accept: BROWSER });
    expect([status, headers['allow']]).toEqual([405, 'DELETE']);
  });

  it('answers HEAD, and refuses other methods', async () => {
    const head = await get(world(), '/acme', { accept: BROWSER }, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect((await get(world(), '/acme', { accept: BROWSER }, 'POST')).status).toBe(404);
  });
}, SETTINGS);

onOwnServices(
  (world) => {
    it('serves the API without built pages', async () => {
      expect((await get(world(), '/acme', { accept: BROWSER })).status).toBe(404);
      expect((await get(world(), '/assets/app-1a2b3c.js')).status).toBe(404);
    });
  },
  { ASSURANCE_PAGES_DIR: join(FOLDER, 'assets') },
);
