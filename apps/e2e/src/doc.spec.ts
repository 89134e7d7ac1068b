import { Ajv2020 } from 'ajv/dist/2020';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readTemplate } from '@assurance/evaluator/yaml';
import { flowForm, fresh } from './support/samples';
import { onEveryDeployment, type World } from './support/world';

const PAGE = '/api/v2/doc/';
const absolute = /(?:https?:)?\/\/[a-z0-9-]+\.[a-z]/i;

/** The addresses that the page refers to, relative to it. */
async function namedPaths(world: World) {
  const html = await (await fetch(world.url + PAGE)).text();
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = '']) => name);
}

onEveryDeployment((world) => {
  const get = (path: string, init?: RequestInit) => fetch(world().url + path, { redirect: 'manual', ...init });

  it('shows the interactive reference without a key, restricted to its own host', async () => {
    const answer = await get(PAGE);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await answer.text()).not.toMatch(absolute);
    expect(await (await get(`${PAGE}initializer.js`)).text()).not.toMatch(absolute);
  });

  it('serves every file of the page with its name and type', async () => {
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', png: 'image/png' };
    const names = await namedPaths(world());
    expect(names).toEqual(expect.arrayContaining(['swagger-ui-bundle.js', 'swagger-ui.css', 'initializer.js']));
    for (const name of names) {
      const answer = await get(new URL(name, `http://any${PAGE}`).pathname);
      const body = await answer.arrayBuffer();
      const type = answer.headers.get('content-type')?.split(';')[0];
      expect([name, answer.status, type]).toEqual([
        name,
        200,
        types[name.split('.').at(-1) ?? ''] ?? 'application/json',
      ]);
      expect(body.byteLength).toBeGreaterThan(10);
    }
  });

  it('may be cached by browsers, and answers HEAD', async () => {
    const cache = async (name: string) => (await get(PAGE + name)).headers.get('cache-control');
    expect([await cache(''), await cache('swagger-ui.css')]).toEqual(['no-cache', 'public, max-age=3600']);
    const head = await get(`${PAGE}swagger-ui.css`, { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length')) > 10_000, await head.text()]).toEqual([
      200,
      true,
      '',
    ]);
  });

  it.each([
    '/api/v2/openapi.json',
    PAGE,
    `${PAGE}swagger-ui-bundle.js`,
    '/schemas/flow-template/v1',
    '/schemas/policy/v1',
    '/api/v2/schemas/environment-policy/v1',
  ])('sends %s compressed, and only to who does not have it', async (path) => {
    const plain = await get(path, { headers: { 'accept-encoding': 'identity' } });
    const gzip = await get(path, { headers: { 'accept-encoding': 'gzip' } });
    const type = plain.headers.get('content-type');
    expect([
      plain.status,
      plain.headers.get('content-encoding'),
      gzip.status,
      gzip.headers.get('content-type'),
    ]).toEqual([200, null, 200, type]);
    expect([gzip.headers.get('content-encoding'), gzip.headers.get('vary')]).toEqual(['gzip', 'accept-encoding']);
    // `fetch` unpacks it.
    expect(await gzip.text()).toBe(await plain.text());
    const tags = [plain, gzip].map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(2);
    for (const tag of [...tags, `W/${tags[0]}`, `"other", ${tags[1]}`, '*']) {
      const again = await get(path, { headers: { 'if-none-match': tag } });
      expect([tag, again.status, await again.text()]).toEqual([tag, 304, '']);
      expect(again.headers.get('etag')).toMatch(/^"\w+(-gzip)?"$/);
    }
    for (const tag of ['"other"', 'other', '']) {
      const again = await get(path, { headers: { 'if-none-match': tag } });
      expect([tag, again.status, (await again.text()).length > 0]).toEqual([tag, 200, true]);
    }
  });

  it('is found without its slash', async () => {
    const answer = await get('/api/v2/doc');
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'doc/']);
    expect(await (await fetch(`${world().url}/api/v2/doc`)).text()).toContain('<div id="reference">');
  });

  it('serves no other file', async () => {
    const nobody = world().withHeader(null);
    for (const name of [
      '../../package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e/index.js',
      'index.js',
      '/etc/passwd',
      '__proto__',
    ]) {
      const { status, body } = await nobody.sendRaw('GET', PAGE + name, []);
      expect([name, status, body]).toEqual([name, 404, { message: 'There is no such route' }]);
    }
  });

  it('serves the schema of flow templates that the service uses', async () => {
    const answer = await get('/schemas/flow-template/v1');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile((await answer.json()) as object);
    const name = fc.constantFrom<unknown>('web', 'api', 'w e b', '', 1, null);
    const type = fc.constantFrom<unknown>('*', 'junit', 'custom:risk', 'custom:', 'magic', null, 7);
    const listOf = <T>(items: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 6, arbitrary: fc.array(items, { maxLength: 1 }) }, fc.constantFrom<unknown>(null, 'web', {}));
    const attestation = fc.record({ name, type }, { requiredKeys: ['name'] });
    const artifact = fc.record(
      { name, attestations: listOf(attestation), colour: fc.constant(1) },
      { requiredKeys: ['name'] },
    );
    const trail = fc.record({ attestations: listOf(attestation), artifacts: listOf(artifact) }, { requiredKeys: [] });
    const template = fc.record(
      {
        version: fc.constantFrom<unknown>(1, 2, '1', null),
        trail: fc.oneof(trail, fc.constantFrom<unknown>(null, [])),
      },
      { requiredKeys: [] },
    );
    const results = new Set<boolean>();
    fc.assert(
      fc.property(template, (value) => {
        const { ok } = readTemplate(Buffer.from(stringify(value)));
        results.add(ok);
        return validate(value) === ok;
      }),
      { numRuns: 2_000 },
    );
    expect(results.size).toBe(2);
    const member = world().as('member');
    for (const [value, status] of [
      [{ version: 1, trail: { artifacts: [{ name: 'web', attestations: [{ name: 'unit', type: 'junit' }] }] } }, 201],
      [{ version: 1, trail: { artifacts: [{ name: '' }] } }, 400],
    ] as const) {
      expect(validate(value)).toBe(status === 201);
      const form = flowForm({ name: fresh('flow') }, stringify(value));
      await member.expect(status, 'PUT', '/flows/acme/template_file', { form });
    }
  });
});
