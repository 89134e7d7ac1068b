import { IDENTITY_HEADER, type Identity, identityKey, signIdentity } from '@assurance/http';
import type { Served } from '@assurance/runtime';
import { type Apart, SECRET, startApart } from '../support/apart';
import { keyOf } from '../support/declared';

const START_MS = 90_000;
const PREVIOUS = 'the secret that they had until it was changed';
const ada: Identity = {
  org: { id: 'o1', name: 'acme' },
  principal: { id: 'p1', kind: 'user', name: 'ada', role: 'admin' },
};

describe('services that are apart', () => {
  let apart: Apart;
  beforeAll(async () => {
    apart = await startApart({ ASSURANCE_PREVIOUS_SECRET: PREVIOUS });
  }, START_MS);
  afterAll(async () => {
    await apart.stop();
    expect(apart.faults).toEqual([]);
  }, START_MS);

  const doorOf = ([first]: readonly Served[]) => {
    if (first === undefined) throw new Error('it did not start');
    return first;
  };
  const asked = { method: 'PUT', url: '/api/v2/flows/acme', correlation: 'c1' };
  const body = JSON.stringify({ name: 'shop' });
  const put = async (url: string, headers: Readonly<Record<string, string>>) => {
    const json = { 'content-type': 'application/json', 'x-request-id': 'c1' };
    const answer = await fetch(url + asked.url, { method: 'PUT', headers: { ...json, ...headers }, body });
    return [answer.status, ((await answer.json()) as { message?: string }).message];
  };
  const signed = (changes: Partial<typeof asked> = {}, at = Date.now(), secret = SECRET) => ({
    [IDENTITY_HEADER]: signIdentity(identityKey(secret), ada, { ...asked, ...changes }, at),
  });
  const refused = [401, expect.any(String)];

  it('trust what the gateway signed', async () => {
    const [status] = await put(doorOf(apart.ingestion).url, signed());
    expect([200, 201]).toContain(status);
  });

  it('trust, while the secret is changed, a gateway that has not got the new one yet', async () => {
    const [status] = await put(doorOf(apart.ingestion).url, signed({}, Date.now(), PREVIOUS));
    expect([200, 201]).toContain(status);
  });

  it.each([
    ['nothing', {}],
    ['an API key', { authorization: `Bearer ${keyOf('admin')}` }],
    ['an identity without a signature', { [IDENTITY_HEADER]: Buffer.from(JSON.stringify(ada)).toString('base64url') }],
    ['one of a minute ago', signed({}, Date.now() - 60_000)],
    ['one of a minute ahead', signed({}, Date.now() + 60_000)],
    ['one for another method', signed({ method: 'GET' })],
    ['one for another organization', signed({ url: '/api/v2/flows/other' })],
    ['one for another request', signed({ correlation: 'c2' })],
    ['one of another installation', signed({}, Date.now(), `${SECRET}!`)],
  ])('do not trust %s', async (_what, headers) => {
    expect(await put(doorOf(apart.ingestion).url, headers)).toEqual(refused);
  });

  it('are not to be talked into it through the gateway', async () => {
    const { url } = apart;
    expect(await put(url, signed())).toEqual(refused);
    const [status] = await put(url, { ...signed(), authorization: `Bearer ${keyOf('reader')}` });
    expect(status).toBe(403);
  });

  it('answer the routes of their role alone', async () => {
    const url = '/api/v2/environments/acme';
    const headers = { 'x-request-id': 'c1', ...signed({ method: 'GET', url }) };
    expect((await fetch(doorOf(apart.projection).url + url, { headers })).status).toBe(200);
    expect((await fetch(doorOf(apart.ingestion).url + url, { headers })).status).toBe(404);
    expect((await fetch(`${doorOf(apart.ingestion).url}/ready`)).status).toBe(404);
    expect((await fetch(`${doorOf(apart.ingestion).operations.url}/ready`)).status).toBe(200);
  });
});
