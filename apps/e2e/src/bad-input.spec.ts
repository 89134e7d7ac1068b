import type { ErrorBody } from '@assurance/contracts-http';
import { artifact, digest, environment, flow, flowForm, fresh, item } from './support/samples';
import { onEveryShape } from './support/world';

const HEX = digest('x');

onEveryShape((world) => {
  const caller = () => world().as('admin');
  let env: string;
  let flowName: string;
  const reportPath = () => `/environments/acme/${env}/report/docker`;
  const refusedReport = (json: unknown): Promise<ErrorBody> => caller().refused(400, 'PUT', reportPath(), { json });
  beforeAll(async () => {
    env = await environment(caller());
    flowName = await flow(caller());
  });

  it.each([
    ['a digest of 65 digits', [item({ 'web:1': `${HEX}a` })], 'artifacts.0.digests.web:1', `${HEX}a`],
    ['a digest of 63 digits', [item({ 'web:1': HEX.slice(1) })], 'artifacts.0.digests.web:1', HEX.slice(1)],
    ['a digest with its algorithm', [item({ 'web:1': `sha256:${HEX}` })], 'artifacts.0.digests.web:1', `sha256:${HEX}`],
    ['a digest of other letters', [item({ 'web:1': 'g'.repeat(64) })], 'artifacts.0.digests.web:1', 'gggg'],
    ['an empty digest', [item({ 'web:1': '' })], 'artifacts.0.digests.web:1', ''],
    ['a digest with a line feed', [item({ 'web:1': `${HEX}\n` })], 'artifacts.0.digests.web:1', HEX],
    ['a digest of null', [{ digests: { 'web:1': null }, creationTimestamp: 1 }], 'artifacts.0.digests.web:1', 'null'],
    ['the second digest', [item({ a: HEX }), item({ a: HEX, b: 'B' })], 'artifacts.1.digests.b', 'B'],
    ['digests of a list', [{ digests: [HEX], creationTimestamp: 1 }], 'artifacts.0.digests', HEX],
    ['digests of null', [{ digests: null, creationTimestamp: 1 }], 'artifacts.0.digests', ''],
    ['no digests', [{ creationTimestamp: 1 }], 'artifacts.0.digests', ''],
    ['no time', [{ digests: { a: HEX } }], 'artifacts.0.creationTimestamp', ''],
    ['a time of null', [{ digests: { a: HEX }, creationTimestamp: null }], 'artifacts.0.creationTimestamp', ''],
    ['a time of text', [{ digests: { a: HEX }, creationTimestamp: '1' }], 'artifacts.0.creationTimestamp', '1'],
    [
      'a time with a fraction',
      [{ digests: { a: HEX }, creationTimestamp: 1.5 }],
      'artifacts.0.creationTimestamp',
      '1.5',
    ],
    ['a time before time', [{ digests: { a: HEX }, creationTimestamp: -1 }], 'artifacts.0.creationTimestamp', '-1'],
    ['an unknown property', [{ ...item({ a: HEX }), colour: 'red' }], 'artifacts.0.colour', 'red'],
    ['a text in the list', ['web'], 'artifacts.0', 'web'],
    ['null in the list', [null], 'artifacts.0', 'null'],
    ['a list in the list', [[item({ a: HEX })]], 'artifacts.0', ''],
    ['a text as the list', 'web', 'artifacts', 'web'],
    ['an object as the list', { 0: item({ a: HEX }) }, 'artifacts', ''],
    ['a number as the list', 7, 'artifacts', '7'],
  ])('names the field of a report with %s, and shows its value', async (_, artifacts, path, shown) => {
    const error = await refusedReport({ artifacts });
    expect(error.message).toBe('Invalid report data');
    expect(Object.keys(error.errors ?? {})).toEqual([path]);
    expect(error.errors?.[path]).toContain(shown.slice(0, 90));
    expect(error.errors?.[path]?.length).toBeLessThan(400);
  });

  it('names each bad field of a report', async () => {
    const { errors } = await refusedReport({
      artifacts: [{ digests: { a: '1', b: HEX, c: '3' }, creationTimestamp: 'x' }],
      kind: 1,
    });
    expect(Object.keys(errors ?? {}).sort()).toEqual([
      'artifacts.0.creationTimestamp',
      'artifacts.0.digests.a',
      'artifacts.0.digests.c',
      'kind',
    ]);
  });

  it.each([
    ['no list', {}, 'artifacts'],
    ['an unknown property', { artifacts: [], type: 'docker' }, 'type'],
    ['null', null, 'body'],
    ['a list', [], 'body'],
    ['a text', 'artifacts', 'body'],
    ['a number', 7, 'body'],
    ['true', true, 'body'],
  ])('refuses a report that is or has %s', async (_, json, path) => {
    const error = await refusedReport(json);
    expect(error.message).toBe('Invalid report data');
    expect(Object.keys(error.errors ?? {})).toEqual([path]);
  });

  it.each([
    ['a half', '{"artifacts":['],
    ['a word', 'artifacts'],
    ['single quotes', "{'artifacts':[]}"],
    ['NaN', '{"artifacts":[NaN]}'],
    ['more behind it', '{"artifacts":[]} x'],
    ['a byte order of its own', Buffer.from('{"artifacts":[]}', 'utf16le')],
    ['a raw NUL', '{"artifacts":[]\u0000}'],
  ])('refuses malformed JSON: %s', async (_, text) => {
    for (const [method, path] of [
      ['PUT', reportPath()],
      ['PUT', '/environments/acme'],
      ['PUT', '/flows/acme'],
      ['POST', `/artifacts/acme/${flowName}`],
    ] as const) {
      const error = await caller().refused(400, method, path, { text });
      expect(Object.keys(error.errors ?? {})).toEqual(['body']);
      // DECISIONS names the message of malformed JSON once for all routes, and that of a bad report for reports.
      expect(['Input payload validation failed', 'Invalid report data']).toContain(error.message);
    }
  });

  it('takes null and nothing for a body as what they are, never as a fault', async () => {
    for (const sent of [{ json: null }, { text: '' }, {}]) {
      for (const [method, path] of [
        ['PUT', reportPath()],
        ['PUT', '/environments/acme'],
        ['PUT', '/flows/acme'],
        ['POST', `/artifacts/acme/${flowName}`],
      ] as const) {
        const { errors } = await caller().refused(400, method, path, sent);
        expect(Object.keys(errors ?? {})).not.toHaveLength(0);
      }
    }
  });

  it('reads a GET with the content type of JSON and no body', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    for (const path of [`/environments/acme/${env}`, `/flows/acme/${flowName}`, '/repos/acme', '/deployments/acme']) {
      await caller().expect(200, 'GET', path, { headers });
    }
  });

  it('refuses parameters that it does not know on every route', async () => {
    for (const [method, path, json] of [
      ['PUT', reportPath(), { artifacts: [] }],
      ['PUT', '/environments/acme', { name: fresh('env'), type: 'docker' }],
      ['PUT', '/flows/acme', { name: fresh('flow') }],
      ['POST', `/artifacts/acme/${flowName}`, artifact(HEX)],
      ['GET', `/environments/acme/${env}`, undefined],
      ['GET', `/flows/acme/${flowName}`, undefined],
      ['GET', `/snapshots/acme/${env}`, undefined],
      ['GET', '/repos/acme', undefined],
    ] as const) {
      const { errors } = await caller().refused(400, method, `${path}?colour=red`, { json });
      expect(errors).toEqual({ colour: expect.any(String) });
    }
  });

  it('gives every answer an id, the one it was given where that is harmless', async () => {
    const idOf = async (given?: string) => {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      return (await caller().send('GET', '/nothing', { headers })).headers.get('x-request-id');
    };
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('build-4711')).toBe('build-4711');
    expect(await idOf('x'.repeat(5_000))).not.toBe('x'.repeat(5_000));
    expect(await idOf('<script>')).not.toBe('<script>');
  });

  it('refuses a body of another type', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      const headers = { 'content-type': type };
      const { status, body } = await caller().send('PUT', '/environments/acme', { text: '{"name":"a"}', headers });
      expect([400, 415]).toContain(status);
      expect(body).toHaveProperty('message');
    }
  });

  it.each([
    ['GET', '/nothing'],
    ['GET', '/'],
    ['GET', ''],
    ['POST', '/environments/acme'],
    ['DELETE', '/environments/acme/x'],
    ['PATCH', '/deployments/acme'],
    ['PUT', '/environments/acme/x/report/dockers'],
    ['PUT', '/environments/acme/x/report/server'],
    ['GET', '/environments/acme/x/y/z'],
    ['GET', '/deployments'],
    ['GET', '/deployments/acme/x'],
    ['OPTIONS', '/environments/acme'],
  ])('answers %s of the unknown route %s with JSON', async (method, path) => {
    const { status, headers, body } = await caller().send(method, path);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect([status, body]).toEqual([404, { message: expect.any(String) }]);
  });

  it('answers unknown routes outside of the API with JSON too', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/v1/deployments/acme',
      '/favicon.ico',
      '/api/v2/../../etc/passwd',
      '//',
      '/%2e%2e/x',
    ]) {
      expect(await caller().sendRaw('GET', path)).toMatchObject({ status: 404, body: { message: expect.any(String) } });
    }
  });

  it('answers a path that is badly encoded', async () => {
    for (const path of ['/api/v2/environments/acme/%', '/api/v2/flows/acme/%E0%A4%A', '/api/v2/snapshots/acme/x/%zz']) {
      const { status, body } = await caller().sendRaw('GET', path);
      expect([400, 404]).toContain(status);
      expect(body).toHaveProperty('message');
    }
  });

  it('keeps its balance with names that are much too long', async () => {
    const long = 'n'.repeat(5_000);
    for (const path of [
      `/environments/acme/${long}`,
      `/flows/acme/${long}`,
      `/repos/acme/${long}`,
      `/snapshots/acme/${long}/1`,
      `/deployments/${long}`,
    ]) {
      expect([400, 403, 404, 414]).toContain((await caller().send('GET', path)).status);
    }
    const answers = [
      await caller().send('PUT', '/environments/acme', { json: { name: long, type: 'docker' } }),
      await caller().send('PUT', '/flows/acme', { json: { name: long } }),
      await caller().send('PUT', '/flows/acme/template_file', { form: flowForm({ name: long }) }),
      await caller().send('POST', `/artifacts/acme/${flowName}`, { json: artifact(HEX, { filename: long }) }),
      await caller().send('POST', `/artifacts/acme/${flowName}`, { json: artifact(HEX, { trail_name: long }) }),
    ];
    for (const { status } of answers) expect([200, 201, 400]).toContain(status);
  });

  const odd: readonly (readonly [string, string])[] = [
    ['half a surrogate pair', '"\\ud800"'],
    ['the other half', '"a\\udc00b"'],
    ['NUL', '"a\\u0000b"'],
    ['a number beyond a double', '1e999'],
    ['an object with a prototype', '{"__proto__":{"x":1}}'],
    ['an object with a constructor', '{"constructor":{"prototype":{"x":1}}}'],
    ['deep lists', '['.repeat(5_000) + ']'.repeat(5_000)],
    ['deep objects', '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)],
    ['a long text', JSON.stringify('x'.repeat(200_000))],
    ['bytes that are no UTF-8', '"\xff\xfe"'],
  ];
  it.each(odd)('is never at fault with %s', async (_, value) => {
    const body = (text: string) => ({ text: Buffer.from(text, 'latin1') });
    const name = fresh('odd');
    const fingerprint = digest(name);
    const bodies: readonly (readonly [string, string, string])[] = [
      ['PUT', reportPath(), `{"artifacts":${value}}`],
      ['PUT', reportPath(), `{"artifacts":[{"digests":${value},"creationTimestamp":1}]}`],
      ['PUT', reportPath(), `{"artifacts":[{"digests":{"a":${value}},"creationTimestamp":${value}}]}`],
      ['PUT', reportPath(), `{"artifacts":[],"x":${value}}`],
      ['PUT', '/environments/acme', `{"name":${value},"type":"docker"}`],
      ['PUT', '/environments/acme', `{"name":"${name}","type":"docker","description":${value}}`],
      ['PUT', '/environments/acme', `{"name":"${name}-2","type":"docker","colour":${value}}`],
      ['PUT', '/flows/acme', `{"name":"${name}","template":${value}}`],
      ['PUT', '/flows/acme', `{"name":"${name}","description":${value}}`],
      [
        'POST',
        `/artifacts/acme/${flowName}`,
        JSON.stringify(artifact(fingerprint, { repo_info: 0 })).replace(':0,', `:${value},`),
      ],
      [
        'POST',
        `/artifacts/acme/${flowName}`,
        JSON.stringify(artifact(fingerprint, { filename: 0 })).replace(':0,', `:${value},`),
      ],
      [
        'POST',
        `/artifacts/acme/${flowName}`,
        JSON.stringify(artifact(fingerprint, { annotations: 0 })).replace(':0}', `:${value}}`),
      ],
      ['POST', `/artifacts/acme/${flowName}`, value],
    ];
    for (const [method, path, text] of bodies) {
      const { status } = await caller().send(method, path, body(text));
      expect([200, 201, 400, 413]).toContain(status);
    }
    if (value.startsWith('"')) {
      const key = `{"artifacts":[{"digests":{${value}:"${HEX}"},"creationTimestamp":1}]}`;
      const { status } = await caller().send('PUT', reportPath(), body(key));
      expect([200, 400]).toContain(status);
    }
    const form = flowForm(`{"name":${value}}`, value);
    expect([201, 200, 400]).toContain((await caller().send('PUT', '/flows/acme/template_file', { form })).status);
    await caller().get(`/snapshots/acme/${env}?per_page=50`);
  });

  it('is never at fault with odd texts in paths and queries', async () => {
    for (const text of [
      '%00',
      '%ED%A0%80',
      '__proto__',
      'constructor',
      '%2F',
      '%5C',
      '%0A',
      "'",
      '%22',
      '%25',
      '..%2F..',
      '🙂',
    ]) {
      for (const path of [
        `/environments/acme/${text}`,
        `/flows/acme/${text}`,
        `/snapshots/acme/${env}/${text}`,
        `/snapshots/acme/${text}/1`,
        `/repos/acme/${text}`,
        `/repos/acme/${text}/deployments`,
        `/repos/acme?name=${text}&search=${text}&provider=${text}&repo_id=${text}`,
        `/deployments/acme?env_name=${text}&repo_name=${text}`,
        `/deployments/acme?${text}=1`,
      ]) {
        expect([200, 400, 404]).toContain((await caller().send('GET', path)).status);
      }
    }
  });
});
