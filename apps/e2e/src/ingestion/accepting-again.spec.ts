import { ADMINISTRATORS_MAX } from '@assurance/access/domain/administrators';
import { keyUses } from '@assurance/access/domain/keys';
import { organization } from '@assurance/access/domain/organization';
import type { InvitationAnswer, WelcomeAnswer } from '@assurance/contracts/access/answers/access';
import { streams } from '@assurance/contracts/events/streams';
import { seal } from '@assurance/event-sourcing/sealing/seal';
import { sha256 } from '@assurance/kernel';
import type { Engines } from '@assurance/storage-ports';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { invite, invited } from '../support/joining';
import { fresh } from '../support/samples';
import { worldOf } from '../support/world';

const JOIN = '/invitations/accept';
const HOUR = 3_600_000;

describe('an invitation that was accepted', () => {
  let installation: Installation;
  let engines: Engines;
  let world: Awaited<ReturnType<typeof worldOf>>;
  let ahead = 0;

  beforeAll(async () => {
    installation = new Installation({}, () => Date.now() + ahead);
    engines = await installation.open();
    world = await worldOf(await installation.start());
  }, 60_000);
  afterAll(async () => {
    await installation.clear();
    expect(installation.log).toEqual([]);
  });

  const join = async (name: string, fields: object = {}) => {
    const person = invited(world, await invite(world.as('admin'), name, 'member'));
    return { person, welcome: await person.expect<WelcomeAnswer>(201, 'POST', JOIN, { json: fields }) };
  };
  const works = async (key: string) =>
    (await world.withHeader(`Bearer ${key}`).send('GET', '/environments/acme')).status === 200;

  it('returns another first key for a repeated request, in place of an unused one', async () => {
    const name = fresh('joiner');
    const { person, welcome } = await join(name);
    const again = await person.expect<WelcomeAnswer>(201, 'POST', JOIN, { json: {} });
    expect(again).toEqual({ ...welcome, api_key: expect.any(String) });
    expect(again.api_key).not.toBe(welcome.api_key);
    const acceptance = await person.expect<WelcomeAnswer>(201, 'POST', JOIN, { json: { user: name } });
    const lost = [welcome.api_key, again.api_key];
    for (const key of lost)
      expect(
        await eventually(
          () => works(key),
          (does) => !does,
        ),
      ).toBe(false);
    expect(await works(acceptance.api_key)).toBe(true);
  });

  it('returns none under another name, after a key was used, or an hour later', async () => {
    const { person } = await join(fresh('joiner'));
    await person.refused(404, 'POST', JOIN, { json: { user: fresh('other') } });

    const { person: user, welcome } = await join(fresh('joiner'));
    expect(await works(welcome.api_key)).toBe(true);
    const uses = engines.documents.collection(keyUses);
    await eventually(
      () => uses.get(sha256(welcome.api_key)),
      (use) => use !== null,
    );
    await user.refused(404, 'POST', JOIN, { json: {} });
    expect(await works(welcome.api_key)).toBe(true);

    ahead += HOUR;
    await person.refused(401, 'POST', JOIN, { json: {} });
  });

  it('as an administrator is not used up while the number of administrators is at its limit', async () => {
    const { documents } = await engines.documents.collection(organization.states).scan(null, 100);
    const acme = documents.find(({ doc }) => doc.name === 'acme')?.doc.id ?? '';
    const stream = streams.administrators(acme);
    const listed = async (count: number) => {
      const newest = await engines.events.newest(stream);
      const users = Array.from({ length: count }, (_, i) => `u${i}`);
      const draft = {
        id: fresh('commit'),
        org: acme,
        stream,
        at: Date.now() + ahead,
        actor: 'test',
        correlation: 'test',
      };
      const commit = await seal(engines.events, draft, newest, [
        { type: 'AdministratorsListed', version: 1, data: { users } },
      ]);
      expect(await engines.events.append(commit)).toBe('appended');
    };
    const admin = world.as('admin');
    const person = invited(world, await invite(admin, fresh('boss'), 'admin'));
    await listed(ADMINISTRATORS_MAX);
    const message = `The organization has reached the limit of ${ADMINISTRATORS_MAX} administrators. Give one of them another role`;
    expect(await person.refused(413, 'POST', JOIN, { json: {} })).toEqual({ message });
    expect(await admin.get<InvitationAnswer[]>('/organizations/acme/invitations')).toHaveLength(1);
    await listed(ADMINISTRATORS_MAX - 1);
    const welcome = await person.expect<WelcomeAnswer>(201, 'POST', JOIN, { json: {} });
    expect(welcome.role).toBe('admin');
  });
});
