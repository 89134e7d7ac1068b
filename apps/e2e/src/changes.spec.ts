import type { NewApiKey } from '@assurance/contracts/access/answers/access';
import { Browser } from './support/browser';
import type { Caller } from './support/caller';
import { keyOf, OTHER_KEY, userKeyOf } from './support/declared';
import { together } from './support/deployments';
import { ChangesConnection } from './support/following';
import { invite, newMember } from './support/joining';
import { environment, flow, flowForm, fresh } from './support/samples';
import { onOwnServices, worldOf } from './support/world';

/** Open pages follow within this time. */
const STATED_MS = 5_000;
const GATEWAYS = 2;

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const open: ChangesConnection[] = [];
  const follow = async (caller: Caller, headers?: Readonly<Record<string, string>>) => {
    const following = await ChangesConnection.begin(caller, headers);
    open.push(following);
    expect(await following.next()).toMatchObject({ event: 'ready' });
    return following;
  };
  afterEach(() => open.splice(0).forEach((following) => following.leave()));

  it('names a changed environment, at every gateway, within the documented time', async () => {
    const all = [];
    for (let i = 0; i < GATEWAYS; i += 1) all.push(await follow(world().as('reader')));
    const begun = performance.now();
    const name = await environment(admin());
    for (const following of all) await following.until('environment', name);
    expect(performance.now() - begun).toBeLessThan(STATED_MS);
  });

  it('names a changed trail with its flow when the lists contain it', async () => {
    const following = await follow(world().as('reader'));
    const [name, run] = [await flow(admin()), fresh('run')];
    await admin().expect(201, 'PUT', `/trails/acme/${name}`, {
      form: flowForm({ name: run }),
    });
    const { data } = await following.until('trail', run);
    expect(data.changed).toContainEqual({ kind: 'trail', name: run, flow: name });
  });

  it('sends a reconnecting client only what changed meanwhile', async () => {
    const first = await follow(world().as('reader'));
    const before = await environment(admin());
    const { id } = await first.until('environment', before);
    first.leave();
    const missed = await environment(admin());
    // It is notified as soon as another one is.
    await (await follow(world().as('member'), { 'last-event-id': id })).until('environment', missed);
    const back = await follow(world().as('reader'), { 'last-event-id': id });
    const { data } = await back.until('environment', missed);
    expect(data.changed?.map(({ name }) => name)).not.toContain(before);
  });

  it('tells a client that anything may have changed after the store was restored', async () => {
    await environment(admin());
    const back = await follow(world().as('reader'), { 'last-event-id': '900000000' });
    expect(await back.next()).toMatchObject({ event: 'changed', data: { changed: null } });
  });

  it('sends nothing of other organizations', async () => {
    const stranger = world().withHeader(`Bearer ${OTHER_KEY}`);
    expect((await stranger.open('/changes/acme')).status).toBe(403);
    const following = await ChangesConnection.begin(stranger, {}, 'other');
    open.push(following);
    expect(await following.next()).toMatchObject({ event: 'ready' });
    const [own, foreign] = [await environment(admin()), fresh('env')];
    await stranger.expect(201, 'PUT', '/environments/other', {
      json: { name: foreign, type: 'docker', description: '' },
    });
    const { data } = await following.until('environment', foreign);
    expect(JSON.stringify(data)).not.toContain(own);
  });

  it('tells readers nothing of invitations and service accounts', async () => {
    const followings = [await follow(world().as('reader')), await follow(admin())];
    const account = fresh('robot');
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name: account, privilege: 'reader' } });
    await invite(admin(), fresh('guest'), 'reader');
    const name = await environment(admin());
    const kindsOf = async (following: ChangesConnection) => {
      const kinds = new Set<string>();
      for (;;) {
        const next = await following.next();
        if (next === null) throw new Error('the connection ended');
        for (const { kind } of next.data.changed ?? []) kinds.add(kind);
        if (next.data.changed?.some((change) => change.name === name) === true) return [...kinds].sort();
      }
    };
    const [reader, all] = await Promise.all(followings.map(kindsOf));
    expect(reader).toEqual(['environment']);
    expect(all).toEqual(['environment', 'invitation', 'service-account']);
  });

  it('ends with the role', async () => {
    const user = fresh('user');
    const caller = world().withHeader(`Bearer ${await newMember(world(), admin(), user, 'admin')}`);
    const following = await follow(caller);
    await admin().expect(200, 'PUT', `/organizations/acme/members/${user}`, { json: { role: 'reader' } });
    for (let next = await following.next(); next !== null && next.event !== 'ended'; next = await following.next());
    expect(await following.next()).toBeNull();
  });

  it('ends with the session', async () => {
    const browser = new Browser(world());
    await browser.signIn(userKeyOf('reader'));
    const following = await follow(world().withHeader(null), { cookie: browser.cookie });
    expect(await browser.status('DELETE', '/session')).toBe(200);
    for (let next = await following.next(); next?.event !== 'ended'; next = await following.next()) {
      expect(next).not.toBeNull();
    }
    expect(await following.next()).toBeNull();
  }, 30_000);

  it('ends with the key', async () => {
    const keys = '/service-accounts/acme/ci-reader/api-keys';
    const apiKey = await admin().expect<NewApiKey>(201, 'POST', keys, { json: { description: '' } });
    const following = await follow(world().withHeader(`Bearer ${apiKey.key}`));
    await admin().expect(200, 'DELETE', `${keys}/${apiKey.id}`);
    for (let next = await following.next(); next !== null && next.event !== 'ended'; next = await following.next());
    expect(await following.next()).toBeNull();
  }, 30_000);

  it('answers HEAD at once', async () => {
    const headers = { authorization: `Bearer ${keyOf('reader')}` };
    expect((await fetch(`${world().url}/api/v2/changes/acme`, { method: 'HEAD', headers })).status).toBe(200);
  });
});

describe('connections that are open', () => {
  it('are limited in number, and end with the service', async () => {
    const [deployment] = together;
    const service = await deployment.start();
    const caller = (await worldOf(service)).withHeader(`Bearer ${keyOf('snapshotter')}`);
    const all: ChangesConnection[] = [];
    for (let i = 0; i < 50; i += 1) all.push(await ChangesConnection.begin(caller));
    const refused = await caller.refused(429, 'GET', '/changes/acme');
    expect(refused.message).toBe('The caller has as many as 50 open connections for changes');
    all.pop()?.leave();
    for (let status = 429; status !== 200;) {
      const response = await caller.open('/changes/acme');
      status = response.status;
      await response.body?.cancel();
    }
    const begun = performance.now();
    const stopped = service.stop();
    for (const following of all) {
      const events = [];
      for (let event = await following.next(); event !== null; event = await following.next()) events.push(event.event);
      expect([events[0], events.at(-1)]).toEqual(['ready', 'ended']);
    }
    expect(performance.now() - begun).toBeLessThan(STATED_MS);
    await stopped;
    expect(service.faults).toEqual([]);
  }, 60_000);
});
