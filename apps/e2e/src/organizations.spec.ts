import { keyOf, userKeyOf } from './support/declared';
import { newMember } from './support/joining';
import { fresh } from './support/samples';
import { onOwnServices } from './support/world';

const FORBIDDEN = { message: "You don't have permission to access this resource" };

onOwnServices(
  (world) => {
    const user = (role: 'member' | 'reader') => world().withHeader(`Bearer ${userKeyOf(role)}`);
    const create = (name: string) => ({ json: { name } });

    it('is created by a user, who administers it and may create service accounts', async () => {
      const name = fresh('shop');
      const reader = user('reader');
      expect(await reader.expect(201, 'POST', '/organizations', create(name))).toBe('OK');
      expect(await reader.expect(200, 'POST', '/organizations', create(name))).toBe('OK');
      expect(await reader.get(`/organizations/${name}/members`)).toEqual([
        { user: 'user-reader', email: 'reader@example.com', role: 'admin' },
      ]);
      await reader.expect(201, 'POST', `/service-accounts/${name}`, { json: { name: 'ci', privilege: 'admin' } });
      await newMember(world(), reader, fresh('grace'), 'member', name);
      expect((await reader.refused(400, 'DELETE', `/organizations/${name}/members/user-reader`)).message).toContain(
        'at least one administrator',
      );
      await user('member').refused(403, 'GET', `/environments/${name}`);
    });

    it('is shown to whoever belongs to it, and to nobody else', async () => {
      const name = fresh('shop');
      const before = Date.now() / 1000;
      await user('reader').expect(201, 'POST', '/organizations', create(name));
      const organization = await user('reader').get<{ created_at: number }>(`/organizations/${name}`);
      expect(organization).toEqual({
        name,
        kind: 'shared',
        experimental_features_enabled: false,
        created_at: organization.created_at,
        last_modified_at: organization.created_at,
      });
      expect(Math.abs(organization.created_at - before)).toBeLessThan(60);
      expect(await user('reader').get('/organizations/user-reader')).toMatchObject({ kind: 'personal' });
      for (const path of [`/organizations/${name}`, '/organizations/nobody-has-this']) {
        expect(await user('member').refused(403, 'GET', path)).toEqual(FORBIDDEN);
      }
    });

    it('has a name that is unique in any letter case and needs no escaping', async () => {
      const member = user('member');
      const name = fresh('Taken');
      await member.expect(201, 'POST', '/organizations', create(name));
      for (const reserved of [
        name.toUpperCase(),
        'acme',
        'ACME',
        'user-admin',
        'a b',
        '',
        'sign-in',
        'assets',
        'documents',
      ]) {
        const error = await member.refused(400, 'POST', '/organizations', create(reserved));
        expect(error.errors).toHaveProperty('name');
      }
      expect((await user('reader').refused(400, 'POST', '/organizations', create(name))).errors).toEqual({
        name: `This name is taken [input: ${name}]`,
      });
    });

    it('cannot be created by service accounts or without a key', async () => {
      const ci = world().withHeader(`Bearer ${keyOf('admin')}`);
      expect(await ci.refused(403, 'POST', '/organizations', create(fresh('no')))).toEqual(FORBIDDEN);
      await world()
        .withHeader(null)
        .refused(401, 'POST', '/organizations', create(fresh('no')));
    });

    it('is created for one of two simultaneous requests for a name', async () => {
      const name = fresh('race');
      const all = await Promise.all(
        [user('member'), user('reader')].map((caller) => caller.send('POST', '/organizations', create(name))),
      );
      expect(all.map(({ status }) => status).sort()).toEqual([201, 400]);
    });

    it('counts towards the number of organizations that a user may create', async () => {
      const somebody = world().withHeader(
        `Bearer ${await newMember(world(), world().as('admin'), fresh('maker'), 'reader')}`,
      );
      for (let i = 0; i < 3; i += 1) await somebody.expect(201, 'POST', '/organizations', create(fresh('many')));
      expect(await somebody.refused(413, 'POST', '/organizations', create(fresh('many')))).toEqual({
        message: 'You have made 3 organizations, which is the limit. The operator can raise it',
      });
    });

    it('permits operators to remove a user without organizations, with all keys', async () => {
      const name = fresh('leaver');
      const key = await newMember(world(), world().as('admin'), name, 'reader');
      const refused = await world().operator.run('remove-user', name);
      expect(refused.error).toContain('is a member of acme');
      await world().as('admin').expect(200, 'DELETE', `/organizations/acme/members/${name}`);
      const own = { name: 'own', type: 'docker' };
      await world().withHeader(`Bearer ${key}`).expect(201, 'PUT', `/environments/${name}`, { json: own });
      const unconfirmed = await world().operator.run('remove-user', name);
      expect(unconfirmed.error).toContain(`Give --confirm ${name} to remove the user all the same`);
      const { outcome } = await world().operator.run('remove-user', name, '--confirm', name);
      expect(outcome).toMatchObject({ ok: true, summary: `User '${name}' was removed.` });
      // A gateway may remember the key for a second.
      for (const until = Date.now() + 10_000; ;) {
        const { status } = await world().withHeader(`Bearer ${key}`).send('GET', `/environments/${name}`);
        if (status === 401) break;
        expect([status, Date.now() < until]).toEqual([200, true]);
      }
      expect((await world().operator.run('remove-user', 'no-such-user')).error).toBe("There is no user 'no-such-user'");
    });
  },
  { ASSURANCE_MAX_ORGANIZATIONS_PER_USER: '3' },
);

describe('where operators alone make organizations', () => {
  onOwnServices(
    (world) => {
      it('refuses a user, and lets an operator create one for the user', async () => {
        const member = world().withHeader(`Bearer ${userKeyOf('member')}`);
        const name = fresh('operated');
        expect(await member.refused(403, 'POST', '/organizations', { json: { name } })).toEqual(FORBIDDEN);
        const answer = await world().operator.run('create-organization', name, 'user-member');
        expect(answer.outcome?.ok).toBe(true);
        expect(await member.get(`/organizations/${name}/members`)).toMatchObject([
          { user: 'user-member', role: 'admin' },
        ]);
        expect((await world().operator.run('create-organization', 'acme', 'user-member')).error).toContain('taken');
        expect((await world().operator.run('create-organization', fresh('x'), 'nobody')).error).toContain('no user');
      });
    },
    { ASSURANCE_ORGANIZATIONS_BY: 'operators' },
  );
});
