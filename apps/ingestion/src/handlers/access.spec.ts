import { ChangeKeys, type KeyChange } from '@assurance/access/write/change-keys';
import { ChangeMember, type MemberChange } from '@assurance/access/write/change-member';
import { type AccountChange, ChangeServiceAccount } from '@assurance/access/write/change-service-account';
import { ChooseDefault } from '@assurance/access/write/choose-default';
import { CreateOrganization } from '@assurance/access/write/create-organization';
import { AcceptInvitation, Invite, RevokeInvitation } from '@assurance/access/write/invite';
import type { Role } from '@assurance/contracts/access/events';
import { DetachIdentity, SignIn } from '@assurance/access/write/sign-in';
import type { Caller } from '@assurance/http/command-caller';
import { canonicalJson, err, ok, sha256 } from '@assurance/kernel';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const admin = { id: 'ada', role: 'admin' } as const;
const MEMBER = ['InvitationAccepted', 'MemberAdded'];
const forbidden = { answer: err({ kind: 'forbidden' }), events: [] };

const invite = async (email: string, name: string | null = null) => {
  const invited = { email, role: 'member', name } as const;
  const { answer, events } = await acme().run(new Invite({ caller: acme().ada, invitedBy: 'ada', invited }));
  if (!answer.ok) throw new Error(answer.refusal.kind);
  return { ...answer.value, events };
};
const accept = (caller: Caller, token: string) =>
  acme().run(new AcceptInvitation({ caller, as: { kind: 'user', token } }));
const join = (invitation: string, name: string | null) =>
  acme().run(
    new AcceptInvitation({ caller: { ...acme().ada, actor: invitation }, as: { kind: 'newcomer', invitation, name } }),
  );

describe('CreateOrganizationHandler', () => {
  const create = (caller: Caller, name: string) => acme().run(new CreateOrganization({ caller, name }));

  it('creates an organization that the caller administers', async () => {
    const { answer, events } = await create(acme().eve, 'beta');
    expect(answer).toEqual(ok('made'));
    expect(events).toEqual(expect.arrayContaining(['OrganizationCreated', 'AdministratorAdded', 'MemberAdded']));
  });

  it('records nothing for the same organization again, and refuses the name to others', async () => {
    await create(acme().bob, 'gamma');
    expect(await create(acme().bob, 'gamma')).toEqual({ answer: ok('kept'), events: [] });
    const errors = { name: 'This name is taken [input: gamma]' };
    expect(await create(acme().eve, 'gamma')).toEqual({ answer: err({ kind: 'invalid', errors }), events: [] });
  });

  it('refuses more organizations than a user may create', async () => {
    await create(acme().ada, 'delta');
    await create(acme().ada, 'epsilon');
    const refusal = err({ kind: 'too-many-organizations', limit: 2 });
    expect(await create(acme().ada, 'zeta')).toEqual({ answer: refusal, events: [] });
  });

  it('refuses a caller who is no user', async () => {
    expect(await create({ ...acme().ada, actor: 'nobody' }, 'eta')).toEqual(forbidden);
  });
});

describe('InviteHandler', () => {
  it('creates an invitation with a token, and another one for the same address', async () => {
    const first = await invite('kim@acme.test');
    const second = await invite('kim@acme.test');
    expect(first.events).toEqual(['MemberInvited']);
    expect(first.invitation).toMatchObject({ email: 'kim@acme.test', role: 'member', status: 'open' });
    expect(second.token).not.toBe(first.token);
    expect((await accept(acme().eve, first.token)).answer).toEqual(err({ kind: 'invitation-invalid' }));
  });

  it('refuses to invite to a personal organization', async () => {
    const { ada } = acme();
    const own = { ...ada, org: { id: ada.actor, name: 'ada' } };
    const { answer, events } = await acme().run(
      new Invite({ caller: own, invitedBy: 'ada', invited: { email: 'kim@acme.test', role: 'member', name: null } }),
    );
    expect({ answer, events }).toEqual({ answer: err({ kind: 'organization-personal' }), events: [] });
  });
});

describe('RevokeInvitationHandler', () => {
  const revoke = (id: string) => acme().run(new RevokeInvitation({ caller: acme().ada, id }));

  it('revokes an open invitation once', async () => {
    const { invitation, token } = await invite('lee@acme.test');
    expect(await revoke(invitation.id)).toEqual({ answer: ok(null), events: ['InvitationRevoked'] });
    expect(await revoke(invitation.id)).toEqual({ answer: err({ kind: 'invitation-unknown' }), events: [] });
    expect((await accept(acme().eve, token)).answer).toEqual(err({ kind: 'invitation-invalid' }));
  });

  it('refuses an unknown invitation', async () => {
    expect(await revoke('nobody')).toEqual({ answer: err({ kind: 'invitation-unknown' }), events: [] });
  });
});

describe('AcceptInvitationHandler', () => {
  it('makes a newcomer a user and a member, and gives a first key', async () => {
    const { invitation } = await invite('sam@acme.test', 'sam');
    const { answer, events } = await join(invitation.id, null);
    expect(answer).toMatchObject(ok({ organization: 'acme', user: 'sam', role: 'member', key: expect.any(String) }));
    expect(events).toEqual(expect.arrayContaining([...MEMBER, 'UserCreated', 'ApiKeyAdded']));
  });

  it('replaces an unused first key when the newcomer accepts again', async () => {
    const { invitation } = await invite('pat@acme.test', 'pat');
    const first = await join(invitation.id, null);
    const second = await join(invitation.id, null);
    expect(second.events).toEqual(['ApiKeyRotated']);
    expect(second.answer).not.toEqual(first.answer);
  });

  it('refuses a name that is taken', async () => {
    const { invitation } = await invite('eve2@acme.test');
    const errors = { user: 'This name is taken [input: eve]' };
    expect((await join(invitation.id, 'eve')).answer).toEqual(err({ kind: 'invalid', errors }));
  });

  it('makes a user a member and records nothing when the user accepts again', async () => {
    const { eve } = acme();
    const { token } = await invite('eve@acme.test');
    const joined = ok({ organization: 'acme', user: 'eve', role: 'member', key: null });
    expect(await accept(eve, token)).toEqual({ answer: joined, events: MEMBER });
    expect(await accept(eve, token)).toEqual({ answer: joined, events: [] });
  });

  it('refuses an unknown token', async () => {
    expect(await accept(acme().eve, 'nobody')).toEqual({ answer: err({ kind: 'invitation-invalid' }), events: [] });
  });
});

describe('SignInHandler', () => {
  const signIn = (name: string, roles: Partial<Record<Role, readonly string[]>> = {}, groupsUnknown = false) => {
    const person = { issuer: 'https://id.test', subject: name, email: '', name, groupsUnknown };
    return acme().run(
      new SignIn({
        person: { ...person, roles: { admin: [], member: [], snapshotter: [], auditor: [], reader: [], ...roles } },
        correlation: 'spec',
      }),
    );
  };

  it('makes a user of a person who signs in first, and records nothing the next time', async () => {
    const first = await signIn('max');
    expect(first.answer).toMatchObject(ok({ name: 'max' }));
    expect(first.events).toEqual(expect.arrayContaining(['ExternalIdentityLinked', 'UserCreated']));
    expect(await signIn('max')).toEqual({ answer: first.answer, events: [] });
  });

  it('gives the roles of groups and takes them away', async () => {
    await signIn('mia');
    expect((await signIn('mia', { member: ['acme'] })).events).toContain('MemberAdded');
    expect((await signIn('mia')).events).toContain('MemberRemoved');
  });

  it('changes no role while the groups are unknown', async () => {
    await signIn('may', { admin: ['acme'] });
    expect(await signIn('may', {}, true)).toMatchObject({ answer: { ok: true }, events: [] });
    expect(await signIn('may', { reader: ['acme'] }, true)).toMatchObject({ answer: { ok: true }, events: [] });
    expect((await signIn('may', { reader: ['acme'] })).events).toContain('MemberRoleChanged');
    expect((await signIn('may')).events).toContain('MemberRemoved');
  });

  it('gives the role of everybody to a person who has none while the groups are unknown', async () => {
    expect((await signIn('new', { reader: ['acme'] }, true)).events).toContain('MemberAdded');
    expect((await signIn('new', { reader: ['acme'] }, true)).events).toEqual([]);
  });

  it('signs a person in whose groups are mapped to an organization that does not exist', async () => {
    expect((await signIn('moe', { member: ['nobody'] })).answer).toMatchObject(ok({ name: 'moe' }));
  });
});

describe('DetachIdentityHandler', () => {
  const identity = (subject: string) => ({
    issuer: 'https://id.test',
    subject,
    email: '',
    name: '',
    groupsUnknown: false,
  });
  const idOf = (subject: string) => sha256(canonicalJson(['https://id.test', subject]));
  const attach = (subject: string) => {
    const roles = { admin: [], member: [], snapshotter: [], auditor: [], reader: [] };
    return acme().run(
      new SignIn({ person: { ...identity(subject), roles }, correlation: 'spec', attachTo: acme().bob.actor }),
    );
  };
  const detach = (subject: string, caller = acme().bob) =>
    acme().run(new DetachIdentity({ caller, id: idOf(subject) }));

  it('detaches one of several identities once, and refuses the last way to sign in', async () => {
    expect((await attach('bob-1')).events).toEqual(['ExternalIdentityAttached']);
    await attach('bob-2');
    expect(await detach('bob-1')).toEqual({ answer: ok(null), events: ['ExternalIdentityDetached'] });
    expect(await detach('bob-1')).toEqual({ answer: err({ kind: 'identity-unknown' }), events: [] });
    expect(await detach('bob-2')).toEqual({ answer: err({ kind: 'identity-last' }), events: [] });
  });

  it('refuses an identity of another user', async () => {
    await attach('bob-3');
    expect(await detach('bob-3', acme().ada)).toEqual({ answer: err({ kind: 'identity-unknown' }), events: [] });
  });
});

describe('ChangeMemberHandler', () => {
  const change = (user: string, fields: MemberChange) =>
    acme().run(new ChangeMember({ caller: acme().ada, changedBy: 'ada', user, change: fields }));
  const set = { kind: 'set', role: 'snapshotter', source: null, email: null } as const;

  it('changes a role and records nothing for the same role again', async () => {
    expect(await change('bob', set)).toEqual({ answer: ok(null), events: ['MemberRoleChanged'] });
    expect(await change('bob', set)).toEqual({ answer: ok(null), events: [] });
  });

  it('invites somebody who is no member, and refuses without an address', async () => {
    expect((await change('zoe', { ...set, email: 'zoe@acme.test' })).events).toEqual(['MemberInvited']);
    const refusal = err({ kind: 'member-uninvited', name: 'zoe', org: 'acme' });
    expect(await change('zoe', set)).toEqual({ answer: refusal, events: [] });
  });

  it('removes a member, and then does not know the member', async () => {
    expect((await change('bob', { kind: 'remove' })).events).toEqual(['MemberRemoved']);
    const refusal = err({ kind: 'member-unknown', name: 'bob', org: 'acme' });
    expect(await change('bob', { kind: 'remove' })).toEqual({ answer: refusal, events: [] });
  });

  it('refuses to remove the last administrator', async () => {
    expect(await change('ada', { kind: 'remove' })).toEqual({ answer: err({ kind: 'last-admin' }), events: [] });
  });
});

const account = (name: string, fields: AccountChange, manager: ChangeServiceAccount['manager'] = admin) =>
  acme().run(new ChangeServiceAccount({ caller: acme().ada, manager, name, change: fields }));
const create = { kind: 'create', settings: { description: '', privilege: 'member' } } as const;

describe('ChangeServiceAccountHandler', () => {
  it('creates a service account and refuses its name in other letters', async () => {
    const created = await account('ci', create);
    expect(created.answer).toMatchObject(ok({ name: 'ci', privilege: 'member' }));
    expect(created.events).toContain('ServiceAccountCreated');
    for (const name of ['ci', 'CI']) {
      const { answer, events } = await account(name, create);
      expect(answer).toMatchObject(err({ kind: 'invalid', errors: { name: expect.any(String) } }));
      expect(events).toEqual([]);
    }
  });

  it('refuses a privilege above the role of the caller', async () => {
    const settings = { description: '', privilege: 'admin' } as const;
    expect((await account('root', { kind: 'create', settings }, { id: 'bob', role: 'member' })).answer).toEqual(
      forbidden.answer,
    );
  });

  it('changes a service account and deletes it, and then does not know it', async () => {
    await account('cd', create);
    const patch = { kind: 'patch', settings: { description: 'deploys' } } as const;
    expect((await account('cd', patch)).events).toEqual(['ServiceAccountDescribed']);
    expect(await account('cd', patch)).toMatchObject({ answer: ok({ description: 'deploys' }), events: [] });
    expect((await account('cd', { kind: 'delete' })).events).toEqual(['ServiceAccountDeleted']);
    expect(await account('cd', patch)).toEqual({ answer: err({ kind: 'service-account-unknown' }), events: [] });
  });
});

describe('ChangeKeysHandler', () => {
  const change = (fields: KeyChange, name: string | null = null) => {
    const owner =
      name === null ? ({ kind: 'self' } as const) : ({ kind: 'service-account', name, manager: admin } as const);
    return acme().run(new ChangeKeys({ caller: acme().ada, owner, change: fields }));
  };
  const created = { kind: 'create', description: 'laptop', expiresAt: 0 } as const;

  it('creates, rotates and revokes a key of the caller', async () => {
    const first = await change(created);
    expect(first).toMatchObject({ answer: ok({ description: 'laptop', until: null }), events: ['ApiKeyAdded'] });
    const id = first.answer.ok ? (first.answer.value?.id ?? '') : '';
    const rotated = await change({ kind: 'rotate', id, graceHours: 1, expiresAt: null });
    expect(rotated).toMatchObject({ answer: ok({ until: expect.any(Number) }), events: ['ApiKeyRotated'] });
    expect(await change({ kind: 'revoke', id })).toEqual({ answer: ok(null), events: ['ApiKeyRevoked'] });
  });

  it('creates a key of a service account, and refuses an unknown one', async () => {
    await account('runner', create);
    expect((await change(created, 'runner')).events).toEqual(['ApiKeyAdded']);
    expect(await change(created, 'nobody')).toEqual({ answer: err({ kind: 'service-account-unknown' }), events: [] });
  });

  it('refuses an unknown key and one that has expired already', async () => {
    expect(await change({ kind: 'revoke', id: 'nobody' })).toEqual({
      answer: err({ kind: 'key-unknown' }),
      events: [],
    });
    expect(await change({ ...created, expiresAt: 1 })).toEqual({
      answer: err({ kind: 'key-expired', expiresAt: 1 }),
      events: [],
    });
  });
});

describe('ChooseDefaultHandler', () => {
  const choose = (kind: 'user' | 'service-account', name: string) =>
    acme().run(new ChooseDefault({ caller: acme().ada, kind, organization: name }));

  it('chooses an organization of the user and records nothing for the same again', async () => {
    expect(await choose('user', 'acme')).toEqual({ answer: ok(null), events: ['DefaultOrganizationChosen'] });
    expect(await choose('user', 'acme')).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses an organization without a membership of the user like a missing organization', async () => {
    for (const name of ['bob', 'nobody']) {
      expect(await choose('user', name)).toEqual({ answer: err({ kind: 'organization-denied', name }), events: [] });
    }
  });

  it('lets a service account choose its own organization only', async () => {
    expect(await choose('service-account', 'acme')).toEqual({ answer: ok(null), events: [] });
    expect((await choose('service-account', 'ada')).answer).toEqual(err({ kind: 'organization-denied', name: 'ada' }));
  });
});
