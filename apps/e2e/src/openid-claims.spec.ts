import { userKeyOf } from './support/declared';
import { deployments } from './support/deployments';
import { problemOf, signingIn } from './support/openid/signing-in';
import type { Visitor } from './support/openid/visitor';
import { fresh } from './support/samples';

const PUBLIC_URL = 'http://127.0.0.1:9';
const ROLES = {
  acme: { admin: ['platform'], member: ['developers', '/teams/shop'], reader: ['auditors'] },
  nowhere: { reader: ['*'] },
};
/** What Entra ID sends of a person with more than 200 groups. */
const OVERAGE = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } };

describe.each(deployments)('the claims of a provider, on the $name deployment', (deployment) => {
  const settings = { ASSURANCE_OPENID_ROLES: JSON.stringify(ROLES) };
  const { world, visitor, person: somebody, sessionOf } = signingIn(deployment, PUBLIC_URL, settings);

  async function roleOf(person: Visitor) {
    const { organizations } = await sessionOf(person);
    return organizations.find(({ name }) => name === 'acme')?.role ?? null;
  }

  describe('groups', () => {
    it('give the strongest role, and withdraw it with the group', async () => {
      const login = await somebody({ groups: ['auditors', 'developers'] });
      const person = visitor();
      await person.signIn(login);
      expect(await roleOf(person)).toBe('member');
      const created = { name: fresh('env'), type: 'docker', description: '' };
      expect((await person.api('PUT', '/environments/acme', created)).status).toBe(201);
      for (const [groups, role] of [
        [['platform'], 'admin'],
        [['/teams/shop'], 'member'],
        [['/platform', 'teams/shop'], null],
      ] as const) {
        await person.signIn(await somebody({ groups }, login));
        expect(await roleOf(person)).toBe(role);
      }
    });

    it('change no role where the provider does not send them, and the session says so', async () => {
      const login = await somebody({ groups: ['platform'] });
      const person = visitor();
      await person.signIn(login);
      expect((await sessionOf(person)).session).not.toHaveProperty('groups_unknown');
      await person.signIn(await somebody({ id_token: OVERAGE }, login));
      expect(await roleOf(person)).toBe('admin');
      expect((await sessionOf(person)).session).toMatchObject({ groups_unknown: true });
      await person.signIn(await somebody({ groups: [] }, login));
      expect(await roleOf(person)).toBeNull();
    });

    it('give nothing to a newcomer where the provider does not send them', async () => {
      const person = visitor();
      await person.signIn(await somebody({ id_token: { hasgroups: true } }));
      expect(await roleOf(person)).toBeNull();
      expect((await sessionOf(person)).session).toMatchObject({ groups_unknown: true });
    });

    it('do not change decisions of an administrator', async () => {
      const login = await somebody({ groups: ['auditors'] });
      const person = visitor();
      await person.signIn(login);
      const { principal } = await sessionOf(person);
      const path = `/organizations/acme/members/${principal.name}`;
      const admin = world().withHeader(`Bearer ${userKeyOf('admin')}`);
      await admin.expect(200, 'PUT', path, { json: { role: 'snapshotter' } });
      for (const claims of [{ groups: ['developers'] }, { groups: [] }, { id_token: OVERAGE }]) {
        await person.signIn(await somebody(claims, login));
        expect(await roleOf(person)).toBe('snapshotter');
      }
      await admin.expect(200, 'DELETE', path);
      await person.signIn(await somebody({ groups: ['platform'] }, login));
      expect(await roleOf(person)).toBeNull();
    });
  });

  describe('addresses', () => {
    it.each([
      ['verified by a text', { email_verified: 'true' }],
      ['of a domain in capitals', { email: 'Ada@EXAMPLE.com' }],
      ['in the user info alone', { id_token: {} }],
      ['whose domain Entra ID verified', { email_verified: undefined, xms_edov: '1' }],
    ])('let somebody in: one %s', async (_, claims) => {
      expect(await visitor().signIn(await somebody(claims))).toBe('/');
    });

    it.each([
      ['of another domain', { email: 'eve@evil.example' }],
      ['that is not verified', { email_verified: false }],
      ['of which nothing is said', { email_verified: undefined }],
      ['that is absent', { email: undefined }],
      ['in the ID token that the user info verifies', { id_token: { email: 'eve@example.com' } }],
      [
        'in the user info that the ID token verifies',
        { email_verified: undefined, id_token: { email_verified: true } },
      ],
    ])('do not let somebody in: one %s', async (_, claims) => {
      const eve = visitor();
      expect(problemOf(await eve.signIn(await somebody(claims)))).toBe('email');
      expect((await eve.api('GET', '/session')).status).toBe(401);
    });
  });
});
