import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import { artifact, digest, environment, flow, fresh, item } from './support/samples';
import { onEveryDeployment } from './support/world';

const HEX = digest('x');

onEveryDeployment((world) => {
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
    [
      'a digest of another algorithm',
      [item({ 'web:1': `sha512:${HEX}` })],
      'artifacts.0.digests.web:1',
      `sha512:${HEX}`,
    ],
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
    ['an unknown property', [{ ...item({ a: HEX }), colour: 'red' }], 'artifacts.0.colour', 'red'],
    ['a text in the list', ['web'], 'artifacts.0', 'web'],
    ['null in the list', [null], 'artifacts.0', 'null'],
    ['a list in the list', [[item({ a: HEX })]], 'artifacts.0', ''],
    ['a text as the list', 'web', 'artifacts', 'web'],
    ['an object as the list', { 0: item({ a: HEX }) }, 'artifacts', ''],
    ['a number as the list', 7, 'artifacts', '7'],
  ])('names the field of a report with %s, and shows its value', async (_, artifacts, path, value) => {
    const error = await refusedReport({ artifacts });
    expect(error.message).toBe('Invalid report data');
    expect(Object.keys(error.errors ?? {})).toEqual([path]);
    expect(error.errors?.[path]).toContain(value.slice(0, 90));
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
    ['an unknown property', { artifacts: [], colour: 'red' }, 'colour'],
    ['the kind of another', { artifacts: [], type: 'K8S' }, 'type'],
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
      // Malformed JSON has one message on all routes; a bad report has one of its own.
      expect(error.message).toMatch(/^(Input payload validation failed: body .+|Invalid report data$)/s);
    }
  });

  it('treats null and a missing body as bad input, never as a fault', async () => {
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

  it('accepts a GET with the content type JSON and no body', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    for (const path of [`/environments/acme/${env}`, `/flows/acme/${flowName}`, '/repos/acme', '/deployments/acme']) {
      await caller().expect(200, 'GET', path, { headers });
    }
  });

  it('refuses unknown parameters on every route', async () => {
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

  it('gives every answer an id: the caller’s if it is harmless', async () => {
    const idOf = async (input?: string) => {
      const headers: Record<string, string> = input === undefined ? {} : { 'x-request-id': input };
      return (await caller().send('GET', '/nothing', { headers })).headers.get('x-request-id');
    };
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('build-4711')).toBe('build-4711');
    expect(await idOf('x'.repeat(5_000))).not.toBe('x'.repeat(5_000));
    expect(await idOf('<script>')).not.toBe('<script>');
  });

  it('refuses a body of another media type', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
      const headers = { 'content-type': type };
      const { status, body } = await caller().send('PUT', '/environments/acme', { text: '{"name":"a"}', headers });
      expect([400, 415]).toContain(status);
      expect(body).toHaveProperty('message');
    }
  });
});
