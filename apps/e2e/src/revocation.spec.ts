import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { NewApiKey } from '@assurance/contracts/access/answers/access';
import { Browser } from './support/browser';
import type { Caller } from './support/caller';
import { userKeyOf } from './support/declared';
import { ChangesConnection } from './support/following';
import { newMember } from './support/joining';
import { digest, environment, fresh, item, report } from './support/samples';
import { onOwnServices } from './support/world';

/** How long a revoked right may still work: decision 54. */
const STATED_MS = 1_000;
/** What passes here between an event of a connection and its being noticed, on a machine that runs other specs. */
const NOTICED_MS = 500;
const GATEWAYS = 2;
const ARTIFACTS = 20_000;

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const status = async (caller: Caller, path: string) => (await caller.send('GET', path)).status;
  const remembered = async (caller: Caller, path: string) => {
    for (let i = 0; i < GATEWAYS; i += 1) expect(await status(caller, path)).toBe(200);
  };

  /** Asks every gateway in turn, until each refused twice; what was asked after the stated time was refused. */
  async function shut(caller: Caller, path: string, refusal: number): Promise<void> {
    const answered = performance.now();
    for (let refused = 0; refused < GATEWAYS * 2;) {
      const elapsed = performance.now() - answered;
      const now = await status(caller, path);
      expect([200, refusal]).toContain(now);
      refused = now === refusal ? refused + 1 : 0;
      if (elapsed >= STATED_MS) expect([elapsed, now]).toEqual([elapsed, refusal]);
    }
  }

  /** A service account with a key, by which every gateway knows it. */
  async function robot() {
    const path = `/service-accounts/acme/${fresh('robot')}`;
    const name = path.split('/').at(-1);
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name, privilege: 'admin' } });
    const apiKey = await admin().expect<NewApiKey>(201, 'POST', `${path}/api-keys`, { json: { description: '' } });
    const caller = world().withHeader(`Bearer ${apiKey.key}`);
    await remembered(caller, '/membership-audit-log/acme');
    return { path, caller, header: `Bearer ${apiKey.key}`, key: `${path}/api-keys/${apiKey.id}` };
  }

  it('of a key works at every gateway within a second', async () => {
    const { caller, key } = await robot();
    await admin().expect(200, 'DELETE', key);
    await shut(caller, '/environments/acme', 401);
  });

  it('of a key by its rotation without grace, too', async () => {
    const { caller, key } = await robot();
    await admin().expect(201, 'POST', `${key}/rotate`, { json: { grace_period_hours: 0 } });
    await shut(caller, '/environments/acme', 401);
  });

  it('of a service account works at every gateway within a second', async () => {
    const { caller, path } = await robot();
    await admin().expect(200, 'DELETE', path);
    await shut(caller, '/environments/acme', 401);
  });

  it('of a privilege works at every gateway within a second', async () => {
    const { caller, path } = await robot();
    await admin().expect(200, 'PATCH', path, { json: { privilege: 'reader' } });
    await shut(caller, '/membership-audit-log/acme', 403);
  });

  it('of a membership, and of a role, works at every gateway within a second', async () => {
    const user = fresh('user');
    const path = `/organizations/acme/members/${user}`;
    const caller = world().withHeader(`Bearer ${await newMember(world(), admin(), user, 'admin')}`);
    await remembered(caller, '/membership-audit-log/acme');
    await admin().expect(200, 'PUT', path, { json: { role: 'member' } });
    await shut(caller, '/membership-audit-log/acme', 403);
    await remembered(caller, '/environments/acme');
    await admin().expect(200, 'DELETE', path);
    await shut(caller, '/environments/acme', 403);
  });

  describe('is under way, and', () => {
    /** Follows at every gateway while somebody changes something all the time. No change arrives after the stated time, and all connections end. */
    async function ends(followings: readonly ChangesConnection[], revoke: () => Promise<unknown>): Promise<void> {
      await revoke();
      const revoked = performance.now();
      let open = followings.length;
      const changing = async () => {
        while (open > 0) await environment(admin());
      };
      const following = async (follower: ChangesConnection) => {
        for (let next = await follower.next(); next !== null && next.event !== 'ended'; next = await follower.next()) {
          const late = next.event === 'changed' && performance.now() - revoked > STATED_MS + NOTICED_MS;
          expect([next, late]).toEqual([next, false]);
        }
        open -= 1;
        expect(performance.now() - revoked).toBeLessThan(STATED_MS + NOTICED_MS);
        expect(await follower.next()).toBeNull();
      };
      await Promise.all([changing(), ...followings.map(following)]);
    }
    const follow = async (caller: Caller, headers?: Readonly<Record<string, string>>) => {
      const all = [];
      for (let i = 0; i < GATEWAYS; i += 1) all.push(await ChangesConnection.begin(caller, headers));
      return all;
    };

    it('a stream of changes ends with its key', async () => {
      const { caller, key } = await robot();
      await ends(await follow(caller), () => admin().expect(200, 'DELETE', key));
    });

    it('a stream of changes ends with its service account', async () => {
      const { caller, path } = await robot();
      await ends(await follow(caller), () => admin().expect(200, 'DELETE', path));
    });

    it('a stream of changes ends with its membership', async () => {
      const user = fresh('user');
      const caller = world().withHeader(`Bearer ${await newMember(world(), admin(), user, 'admin')}`);
      const path = `/organizations/acme/members/${user}`;
      await ends(await follow(caller), () => admin().expect(200, 'DELETE', path));
    });

    it('a stream of changes ends with its session', async () => {
      const browser = new Browser(world());
      await browser.signIn(userKeyOf('reader'));
      const followings = await follow(world().withHeader(null), { cookie: browser.cookie });
      await ends(followings, () => browser.status('DELETE', '/session'));
    });

    it.each(['/environments/acme', '/environments/acme/some/report/docker'])(
      'sends a body to %s, ends with a key',
      async (path) => {
        const { key, header } = await robot();
        const headers = { authorization: header, 'content-type': 'application/json', 'content-length': '64' };
        const call = request(`${world().url}/api/v2${path}`, { method: 'PUT', headers });
        const ended = once(call, 'error');
        await new Promise((sent) => call.write('{', sent));
        await admin().expect(200, 'DELETE', key);
        const revoked = performance.now();
        await ended;
        expect(performance.now() - revoked).toBeLessThan(STATED_MS + NOTICED_MS);
      },
    );

    it('reads a long answer slowly, ends with a key', async () => {
      const { caller, key, header } = await robot();
      const env = await environment(admin());
      const artifacts = Array.from({ length: ARTIFACTS }, (_, i) => item({ [`web:${i}`]: digest(`${env} ${i}`) }));
      await report(admin(), env, artifacts);
      const call = request(`${world().url}/api/v2/snapshots/acme/${env}/1`, { headers: { authorization: header } });
      const [answer] = (await once(call.end(), 'response')) as [IncomingMessage];
      await once(answer, 'readable');
      await admin().expect(200, 'DELETE', key);
      const revoked = performance.now();
      while (performance.now() - revoked < STATED_MS) await status(caller, '/environments/acme');
      await expect(once(answer.resume(), 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    });
  });
});
