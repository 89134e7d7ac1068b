import { EXPIRED_KEY, keyOf, LATE_KEY, OTHER_KEY, ROLES, userKeyOf } from './support/declared';
import { environment } from './support/samples';
import { onOwnServices } from './support/world';

const KEY = keyOf('reader');
const PATH = '/deployments/acme';
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

onOwnServices((world) => {
  const statusOf = async (authorization: string | null, path = PATH) =>
    (await world().withHeader(authorization).send('GET', path)).status;

  it.each([
    ['bearer', `Bearer ${KEY}`],
    ['bearer in lower case', `bearer ${KEY}`],
    ['bearer in upper case', `BEARER ${KEY}`],
    ['bearer after several blanks', `Bearer   ${KEY}`],
    ['basic with an empty password', `Basic ${base64(`${KEY}:`)}`],
    ['basic with a password', `Basic ${base64(`${KEY}:word`)}`],
    ['basic with a password of colons', `Basic ${base64(`${KEY}:a:b:c`)}`],
    ['basic with a password beyond ASCII', `Basic ${base64(`${KEY}:pässword`)}`],
    ['basic in upper case', `BASIC ${base64(`${KEY}:`)}`],
    ['basic in lower case', `basic ${base64(`${KEY}:`)}`],
    ['a key that expires later', `Bearer ${LATE_KEY}`],
    ['the key of a user', `Bearer ${userKeyOf('reader')}`],
    ['the key of a user, basic', `Basic ${base64(`${userKeyOf('reader')}:x`)}`],
  ])('takes %s', async (_, header) => {
    expect(await statusOf(header)).toBe(200);
  });

  it.each([
    ['no header', null],
    ['an empty header', ''],
    ['bearer alone', 'Bearer'],
    ['bearer and a blank', 'Bearer '],
    ['a wrong key', 'Bearer wrong'],
    ['a key in other letters', `Bearer ${KEY.toUpperCase()}`],
    ['a key with more behind it', `Bearer ${KEY} x`],
    ['a key cut short', `Bearer ${KEY.slice(0, -1)}`],
    ['a key without a scheme', KEY],
    ['an unknown scheme', `Token ${KEY}`],
    ['an expired key', `Bearer ${EXPIRED_KEY}`],
    ['an expired key, basic', `Basic ${base64(`${EXPIRED_KEY}:`)}`],
    ['basic without a colon', `Basic ${base64(KEY)}`],
    ['basic without a key', `Basic ${base64(':password')}`],
    ['basic with a key as password', `Basic ${base64(`x:${KEY}`)}`],
    ['basic with a blank before the key', `Basic ${base64(` ${KEY}:`)}`],
    ['basic of nothing', 'Basic '],
    ['basic of broken base64', 'Basic %%%'],
    ['basic with a hole in its base64', `Basic ${base64(`${KEY}:`).slice(0, 4)} ${base64(`${KEY}:`).slice(4)}`],
    ['basic of a wrong key', `Basic ${base64('wrong:')}`],
    ['the key itself as basic', `Basic ${KEY}:`],
    ['the hash of nothing', 'Bearer e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a key of great length', `Bearer ${'k'.repeat(8_000)}`],
    ['two keys', `Bearer ${KEY}, Bearer ${KEY}`],
    ['the name of every object', 'Bearer __proto__'],
  ])('refuses %s', async (_, header) => {
    const answer = await world().withHeader(header).send('GET', PATH);
    expect(answer).toMatchObject({ status: 401, body: { message: 'Missing or invalid API key' } });
    expect(answer.headers.get('www-authenticate')).toMatch(/Basic/);
    expect(answer.headers.get('www-authenticate')).toMatch(/Bearer/);
  });

  it.each([
    ['another scheme', `Token ${KEY}`, 'The scheme should be Bearer or Basic'],
    ['a scheme of another service', `ApiKey ${KEY}`, 'The scheme should be Bearer or Basic'],
    ['no scheme', KEY, 'The scheme is missing'],
    ['no key', 'Bearer', 'The key is missing'],
    ['quotes', `Bearer "${KEY}"`, 'no quotes'],
    ['single quotes', `Bearer '${KEY}'`, 'no quotes'],
    ['brackets of an example', `Bearer <${KEY}>`, 'no quotes'],
    ['the scheme twice', `Bearer Bearer ${KEY}`, "'Bearer' is there twice"],
    ['a blank in the key', `Bearer ${KEY.slice(0, 4)} ${KEY.slice(4)}`, 'no blank'],
    ['basic without a colon', `Basic ${base64(KEY)}`, 'with a colon after the key'],
    ['basic that is no base64', `Basic ${KEY}:`, 'with a colon after the key'],
  ])('says what is wrong with %s, and repeats no key', async (_, header, hint) => {
    const { status, body, text } = await world().withHeader(header).send('GET', PATH);
    expect([status, body]).toEqual([
      401,
      { message: 'Missing or invalid API key', errors: { authorization: expect.stringContaining(hint) as string } },
    ]);
    expect(text).not.toContain(KEY);
  });

  it.each([null, 'Bearer wrong', `Basic ${base64('wrong:')}`])(
    'says no more of %s than that it is wrong',
    async (header) => {
      expect(await world().withHeader(header).refused(401, 'GET', PATH)).toEqual({
        message: 'Missing or invalid API key',
      });
    },
  );

  it('accepts both methods for the deployments of a repository', async () => {
    const missing = { message: 'Repo not found' };
    for (const header of [
      `Bearer ${KEY}`,
      `Basic ${base64(`${KEY}:`)}`,
      `Basic ${base64(`${userKeyOf('reader')}:x`)}`,
    ]) {
      expect(await world().withHeader(header).refused(404, 'GET', '/repos/acme/none/deployments')).toEqual(missing);
    }
    for (const header of ['Bearer wrong', `Basic ${base64(KEY)}`, null]) {
      await world().withHeader(header).refused(401, 'GET', '/repos/acme/none/deployments');
    }
  });

  it('refuses two Authorization headers, equal or not', async () => {
    const caller = world().withHeader(null);
    for (const second of [`Bearer ${KEY}`, 'Bearer wrong', `Basic ${base64(`${KEY}:`)}`]) {
      const headers = ['authorization', `Bearer ${KEY}`, 'Authorization', second];
      expect(await caller.sendRaw('GET', `/api/v2${PATH}`, headers)).toMatchObject({ status: 401 });
    }
  });

  it('accepts a key only in its header', async () => {
    const caller = world().withHeader(null);
    await caller.refused(401, 'GET', `${PATH}?api_key=${KEY}`);
    await caller.refused(401, 'GET', PATH, { headers: { 'x-api-key': KEY, cookie: `api_key=${KEY}` } });
  });

  it('answers alike for a foreign and an unknown organization', async () => {
    const message = "You don't have permission to access this resource";
    for (const key of [OTHER_KEY, keyOf('admin')]) {
      const caller = world().withHeader(`Bearer ${key}`);
      for (const org of ['acme', 'other', 'nobody', 'ACME', 'user-reader', '__proto__', 'a%20b', '%00']) {
        if (org === (key === OTHER_KEY ? 'other' : 'acme')) continue;
        expect(await caller.refused(403, 'GET', `/deployments/${org}`)).toEqual({ message });
      }
    }
  });

  it('makes a user the admin of a personal organization', async () => {
    for (const role of ROLES) {
      const caller = world().withHeader(`Bearer ${userKeyOf(role)}`);
      const json = { name: 'prod', type: 'docker' };
      await caller.expect(201, 'PUT', `/environments/user-${role}`, { json });
      await world().as('admin').refused(403, 'GET', `/environments/user-${role}/prod`);
    }
  });

  it('checks the key first, then the permission, then the input, then existence', async () => {
    const path = '/environments/acme/nowhere/report/docker';
    const broken = { text: '{' };
    await world().withHeader('Bearer wrong').refused(401, 'PUT', path, broken);
    await world().withHeader(`Bearer ${OTHER_KEY}`).refused(403, 'PUT', path, broken);
    await world().as('reader').refused(403, 'PUT', path, broken);
    await world().as('snapshotter').refused(400, 'PUT', path, broken);
    await world()
      .as('snapshotter')
      .refused(400, 'PUT', path, { json: { artifacts: 7 } });
    await world()
      .as('snapshotter')
      .refused(404, 'PUT', path, { json: { artifacts: [] } });
    await world().withHeader(null).refused(401, 'GET', '/snapshots/acme/nowhere?page=0');
    await world().as('reader').refused(400, 'GET', '/snapshots/acme/nowhere?page=0');
    await world().as('reader').refused(404, 'GET', '/snapshots/acme/nowhere?page=1');
  });

  it('answers HEAD like GET, without more rights', async () => {
    for (const [authorization, statuses] of [
      [null, [401, 404]],
      ['Bearer wrong', [401, 404]],
      [`Bearer ${OTHER_KEY}`, [403, 404]],
    ] as const) {
      const headers: Record<string, string> = authorization === null ? {} : { authorization };
      const { status } = await fetch(`${world().url}/api/v2${PATH}`, { method: 'HEAD', headers });
      expect(statuses).toContain(status);
    }
  });

  it('needs no key for its health and its description', async () => {
    const ready = await fetch(`${world().url}/ready`);
    expect([ready.status, await ready.text(), ready.headers.get('content-type')]).toEqual([
      200,
      'OK',
      expect.stringMatching(/^text\/plain/),
    ]);
    expect((await fetch(`${world().url}/api/v2/openapi.json`)).status).toBe(200);
  });

  it('hides an environment from keys of another organization with an environment of that name', async () => {
    const env = await environment(world().as('admin'));
    const other = world().withHeader(`Bearer ${OTHER_KEY}`);
    await other.refused(403, 'GET', `/environments/acme/${env}`);
    await other.refused(404, 'GET', `/environments/other/${env}`);
  });
});
