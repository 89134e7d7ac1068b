import { type Identity, IDENTITY_HEADER, identityKey, sealOf, signIdentity } from '@assurance/http';
import { sha256 } from '@assurance/kernel';
import type { Served } from '@assurance/runtime';
import { keyOf } from '../support/declared';
import { SECRET, type SplitServices, startSplit } from '../support/split';

const START_MS = 90_000;
const PREVIOUS = 'the secret that they had until it was changed';
/** Where a port mapping leads to the services. */
const MAPPED = '192.0.2.1:8001';
const ada: Identity = {
  org: { id: 'o1', name: 'acme' },
  principal: { id: 'p1', kind: 'user', name: 'ada', role: 'admin' },
};

describe('separate services', () => {
  let split: SplitServices;
  beforeAll(async () => {
    split = await startSplit({ ASSURANCE_PREVIOUS_SECRET: PREVIOUS, ASSURANCE_REACHED_AT: MAPPED });
  }, START_MS);
  afterAll(async () => {
    await split.stop();
    expect(split.faults).toEqual([]);
  }, START_MS);

  const firstOf = ([first]: readonly Served[]) => {
    if (first === undefined) throw new Error('it did not start');
    return first;
  };
  const request = { method: 'PUT', url: '/api/v2/flows/acme', correlation: 'c1', hasBody: true };
  const body = JSON.stringify({ name: 'shop' });
  const sealedBy = (header: string, text = body, secret = SECRET) =>
    Buffer.concat([Buffer.from(text), sealOf(identityKey(secret), header, sha256(text))]);
  const put = async (
    url: string,
    headers: Readonly<Record<string, string>>,
    sealed: string | Buffer = sealedBy(headers[IDENTITY_HEADER] ?? ''),
  ) => {
    const json = { 'content-type': 'application/json', 'x-request-id': 'c1' };
    const answer = await fetch(url + request.url, { method: 'PUT', headers: { ...json, ...headers }, body: sealed });
    return [answer.status, ((await answer.json()) as { message?: string }).message];
  };
  const addressOf = ({ url }: Served) => url.replace('http://localhost', '127.0.0.1').replace('http://', '');
  /** Signed for both services: which one a test asks makes no difference. */
  const signed = (
    changes: Partial<typeof request> = {},
    at = Date.now(),
    secret = SECRET,
    to = [...split.ingestion, ...split.projection].map(addressOf),
  ) => ({
    [IDENTITY_HEADER]: signIdentity(identityKey(secret), ada, { ...request, ...changes }, to, at),
  });
  const refused = [401, expect.any(String)];

  it('trust what the gateway signed', async () => {
    const [status] = await put(firstOf(split.ingestion).url, signed());
    expect([200, 201]).toContain(status);
  });

  it('trust what was signed for their configured address', async () => {
    const [status] = await put(firstOf(split.ingestion).url, signed({}, Date.now(), SECRET, [MAPPED]));
    expect([200, 201]).toContain(status);
  });

  it('trust a gateway with the old secret while the secret is changed', async () => {
    const headers = signed({}, Date.now(), PREVIOUS);
    const [status] = await put(
      firstOf(split.ingestion).url,
      headers,
      sealedBy(headers[IDENTITY_HEADER], body, PREVIOUS),
    );
    expect([200, 201]).toContain(status);
  });

  it.each([
    ['nothing', () => ({})],
    ['an API key', () => ({ authorization: `Bearer ${keyOf('admin')}` })],
    [
      'an identity without a signature',
      () => ({ [IDENTITY_HEADER]: Buffer.from(JSON.stringify(ada)).toString('base64url') }),
    ],
    ['one of a minute ago', () => signed({}, Date.now() - 60_000)],
    ['one of a minute ahead', () => signed({}, Date.now() + 60_000)],
    ['one for another method', () => signed({ method: 'GET' })],
    ['one for another organization', () => signed({ url: '/api/v2/flows/other' })],
    ['one for another request', () => signed({ correlation: 'c2' })],
    ['one of another installation', () => signed({}, Date.now(), `${SECRET}!`)],
    ['one for another instance', () => signed({}, Date.now(), SECRET, split.projection.map(addressOf))],
    ['one for no instance', () => signed({}, Date.now(), SECRET, [])],
  ] satisfies [string, () => Record<string, string>][])('do not trust %s', async (_what, headersOf) => {
    expect(await put(firstOf(split.ingestion).url, headersOf())).toEqual(refused);
  });

  it('trust a header once and only with its body', async () => {
    const { url } = firstOf(split.ingestion);
    const headers = signed();
    const other = JSON.stringify({ name: 'other' });
    const sealed = sealedBy(headers[IDENTITY_HEADER]);
    expect((await put(url, headers, sealed))[0]).toBeLessThan(300);
    expect(await put(url, headers, sealed)).toEqual(refused);
    expect(await put(url, signed(), sealed)).toEqual(refused);
    expect(await put(url, signed(), body)).toEqual(refused);
    expect(await put(url, signed(), '')).toEqual(refused);
    expect(await put(url, signed({ hasBody: false }))).toEqual(refused);
    const mixed = signed();
    const [seal] = [sealedBy(mixed[IDENTITY_HEADER]).subarray(-32)];
    expect(await put(url, mixed, Buffer.concat([Buffer.from(other), seal]))).toEqual(refused);
  });

  it('trust a form only with its content', async () => {
    const { url } = firstOf(split.ingestion);
    const form = (name: string) =>
      `--x\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${JSON.stringify({ name, description: '', comment: '', type: 'env' })}\r\n` +
      `--x\r\nContent-Disposition: form-data; name="policy_file"; filename="p.yaml"\r\n\r\n_schema: https://example.com/schemas/policy/v1\nartifacts: {provenance: {required: true}}\n\r\n--x--\r\n`;
    const path = '/api/v2/policies/acme';
    const post = async (text: string, output = text) => {
      const header = signed({ url: path })[IDENTITY_HEADER];
      const seal = sealedBy(header, output).subarray(-32);
      const headers = {
        'content-type': 'multipart/form-data; boundary=x',
        'x-request-id': 'c1',
        [IDENTITY_HEADER]: header,
      };
      const sent = Buffer.concat([Buffer.from(text), seal]);
      return (await fetch(url + path, { method: 'PUT', headers, body: sent })).status;
    };
    expect(await post(form('one'))).toBeLessThan(300);
    expect(await post(form('two'), form('one'))).toBe(401);
  });

  it('trust no identity header that a caller sends through the gateway', async () => {
    const { url } = split;
    expect(await put(url, signed())).toEqual(refused);
    const [status] = await put(url, { ...signed(), authorization: `Bearer ${keyOf('reader')}` });
    expect(status).toBe(403);
  });

  it('answer only the routes of their role', async () => {
    const url = '/api/v2/environments/acme';
    const headers = { 'x-request-id': 'c1', ...signed({ method: 'GET', url, hasBody: false }) };
    expect((await fetch(firstOf(split.projection).url + url, { headers })).status).toBe(200);
    expect((await fetch(firstOf(split.ingestion).url + url, { headers })).status).toBe(404);
    expect((await fetch(`${firstOf(split.ingestion).url}/ready`)).status).toBe(404);
    expect((await fetch(`${firstOf(split.ingestion).operations.url}/ready`)).status).toBe(200);
  });
});
