import type { NewApiKey } from '@assurance/contracts-http';
import type { Caller } from './support/caller';
import { newMember } from './support/joining';
import { fresh } from './support/samples';
import { onOwnServices } from './support/world';

/** How long what was taken away may still work: decision 30. */
const STATED_MS = 1_000;
const GATEWAYS = 2;

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
      const asked = performance.now() - answered;
      const now = await status(caller, path);
      expect([200, refusal]).toContain(now);
      refused = now === refusal ? refused + 1 : 0;
      if (asked >= STATED_MS) expect([asked, now]).toEqual([asked, refusal]);
    }
  }

  /** A service account with a key, by which every gateway knows it. */
  async function robot() {
    const path = `/service-accounts/acme/${fresh('robot')}`;
    const name = path.split('/').at(-1);
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name, privilege: 'admin' } });
    const made = await admin().expect<NewApiKey>(201, 'POST', `${path}/api-keys`, { json: { description: '' } });
    const caller = world().withHeader(`Bearer ${made.key}`);
    await remembered(caller, '/membership-audit-log/acme');
    return { path, caller, key: `${path}/api-keys/${made.id}` };
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
});
