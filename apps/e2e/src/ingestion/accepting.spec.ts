import type { MemberAnswer, WelcomeAnswer } from '@assurance/contracts/access/answers/access';
import { StoreUnavailable } from '@assurance/storage-ports';
import type { Caller } from '../support/caller';
import { startLoose } from '../support/deployments';
import { eventually } from '../support/eventually';
import { invite, invited } from '../support/joining';
import type { RunningService } from '../support/running';
import { fresh } from '../support/samples';
import { worldOf } from '../support/world';

const JOIN = '/invitations/accept';
/** More steps than any acceptance takes. */
const STEPS_MAX = 400;
/** All steps would take minutes. These steps cover each part of an acceptance. */
const STRIDE = 7;

describe('an invitation whose acceptance is broken off', () => {
  /** Steps of the storage until all of them fail, as if the process had ended there; null: none fails. */
  let left: number | null = null;
  let service: RunningService;
  beforeAll(async () => {
    service = await startLoose({}, () => {
      if (left === null) return;
      left -= 1;
      if (left < 0) throw new StoreUnavailable('the storage failed, as the test asked');
    });
  }, 90_000);
  afterAll(async () => {
    left = null;
    await service.stop();
    expect(service.faults.filter((line) => !line.includes('as the test asked'))).toEqual([]);
  });

  const roleOf = async (admin: Caller, user: string) => {
    const all: MemberAnswer[] = [];
    for (let page = 1; ; page += 1) {
      const some = await admin.get<MemberAnswer[]>(`/organizations/acme/members?page=${page}`);
      all.push(...some);
      if (some.length < 50) return all.find((member) => member.user === user)?.role;
    }
  };

  it.each(['reader', 'admin'])(
    'at any step can either be accepted again or was used, as %s',
    async (role) => {
      const world = await worldOf(service);
      const admin = world.as('admin');
      const ends = { open: 0, used: 0 };
      let done = false;
      for (let steps = 0; !done && steps < STEPS_MAX; steps += STRIDE) {
        const name = fresh('joiner');
        const person = invited(world, await invite(admin, name, role));
        left = steps;
        const { status } = await person.send('POST', JOIN, { json: {} });
        left = null;
        done = status === 201;
        if (done) break;
        expect(status).toBe(503);
        // Another person with the token, under another name: only if the first was not accepted.
        const [second, other] = [await person.send('POST', JOIN, { json: { user: `${name}-2` } }), `${name}-2`];
        const used = second.status !== 201;
        if (used) expect([401, 404]).toContain(second.status);
        ends[used ? 'used' : 'open'] += 1;
        const member = used ? name : other;
        expect(
          await eventually(
            () => roleOf(admin, member),
            (result) => result !== undefined,
          ),
        ).toBe(role);
        expect(await roleOf(admin, used ? other : name)).toBeUndefined();
        if (!used) {
          const { api_key } = second.body as WelcomeAnswer;
          await world.withHeader(`Bearer ${api_key}`).get('/environments/acme');
        }
        await admin.expect(200, 'DELETE', `/organizations/acme/members/${member}`);
      }
      expect([done, ends.open > 0, ends.used > 0]).toEqual([true, true, true]);
    },
    240_000,
  );
});
