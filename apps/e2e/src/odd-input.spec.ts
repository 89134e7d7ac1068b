import { artifact, digest, environment, flow, flowForm, fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const HEX = digest('x');

onEveryDeployment((world) => {
  const caller = () => world().as('admin');
  let env: string;
  let flowName: string;
  const reportPath = () => `/environments/acme/${env}/report/docker`;
  beforeAll(async () => {
    env = await environment(caller());
    flowName = await flow(caller());
  });

  it.each([
    [404, 'GET', '/nothing'],
    [404, 'GET', '/'],
    [404, 'GET', ''],
    [405, 'POST', '/environments/acme'],
    [405, 'DELETE', '/environments/acme/x'],
    [405, 'PATCH', '/deployments/acme'],
    [404, 'PUT', '/environments/acme/x/report/dockers'],
    [404, 'PUT', '/environments/acme/x/report/k8s'],
    [404, 'GET', '/environments/acme/x/y/z'],
    [404, 'GET', '/deployments'],
    [404, 'GET', '/deployments/acme/x'],
    [405, 'OPTIONS', '/environments/acme'],
  ])('answers %i with JSON to %s of %s, which is no route', async (expected, method, path) => {
    const { status, headers, body } = await caller().send(method, path);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect([status, body]).toEqual([expected, { message: expect.any(String) }]);
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

  it('answers a badly encoded path', async () => {
    for (const path of ['/api/v2/environments/acme/%', '/api/v2/flows/acme/%E0%A4%A', '/api/v2/snapshots/acme/x/%zz']) {
      const { status, body } = await caller().sendRaw('GET', path);
      expect([400, 404]).toContain(status);
      expect(body).toHaveProperty('message');
    }
  });

  it('refuses names that are much too long', async () => {
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
  it.each(odd)('answers %s without a fault', async (_, value) => {
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

  it('answers odd texts in paths and queries without a fault', async () => {
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
