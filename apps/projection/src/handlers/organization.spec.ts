import { ListInvitations, ListMembers, ListMembershipEvents } from '@assurance/access/read/members';
import { GetOrganization } from '@assurance/access/read/organization';
import { GetServiceAccount, ListServiceAccounts, ListUserKeys } from '@assurance/access/read/service-accounts';
import { GetSpace, ListSpaces } from '@assurance/access/read/spaces';
import { GetDefaultOrganization, ListIdentities } from '@assurance/access/read/user';
import { ListAuditLog, ListEvents } from '@assurance/audit/read/audit-log.query';
import { GetRetention } from '@assurance/audit/read/retention';
import { GetAttestationType, ListAttestationTypes } from '@assurance/evidence/read/attestation-types';
import { err, ok } from '@assurance/kernel';
import { GetKeyExpiry } from '@assurance/notifications/read/key-expiry';
import {
  GetActions,
  GetNotifications,
  GetTargetConfigs,
  ListDeliveries,
} from '@assurance/notifications/read/notifications';
import {
  GetControl,
  GetControlCoverage,
  GetControlDecision,
  GetControlVersion,
  ListControlDecisions,
  ListControls,
  ListControlTags,
  ListControlVersions,
} from '@assurance/policies/read/controls';
import { GetPolicy, ListPolicies } from '@assurance/policies/read/policies';
import { ACME } from '@assurance/testing/recorded/acme';
import { ada, atAcme, firstPage } from '../testing/acme';

const ask = atAcme();
const stranger = { ...ada, org: { id: 'org-beta', name: 'beta' } };
const admin = { id: ACME.ada, kind: 'user', name: 'ada', role: 'admin' } as const;
const reader = { ...admin, id: ACME.eve, role: 'reader' } as const;

describe('ListMembersHandler', () => {
  it('lists the members of the organization of the caller only', async () => {
    expect(await ask(new ListMembers({ caller: ada, page: firstPage }))).toEqual([
      { user: 'ada', email: 'ada@acme.test', role: 'admin' },
    ]);
    expect(await ask(new ListMembers({ caller: stranger, page: firstPage }))).toEqual([]);
  });
});

describe('ListInvitationsHandler', () => {
  it('lists the open invitations of the organization of the caller only', async () => {
    const [firstInvitation, ...others] = await ask(new ListInvitations({ caller: ada, page: firstPage }));
    expect(firstInvitation).toMatchObject({ email: 'kim@acme.test', role: 'member', invited_by: 'ada' });
    expect(others).toEqual([]);
    expect(await ask(new ListInvitations({ caller: stranger, page: firstPage }))).toEqual([]);
  });
});

describe('ListMembershipEventsHandler', () => {
  const filter = { search: '', types: [], roles: [], sources: [], from: null, to: null } as const;
  const sorted = { sort: 'when', direction: 'asc' } as const;
  const list = (search: string) =>
    ask(
      new ListMembershipEvents({
        caller: ada,
        filter: { ...filter, ...sorted, search },
        page: firstPage,
        parameters: {},
      }),
    );

  it('lists what happened to memberships', async () => {
    expect(await list('')).toMatchObject({ value: { total_count: 1, events: [{ user: 'ada' }] }, behind: 0 });
  });
  it('lists nothing that the search excludes', async () => {
    expect(await list('nobody')).toMatchObject({ value: { total_count: 0, events: [] } });
  });
});

describe('ListAuditLogHandler', () => {
  const filter = { search: '', types: [], kinds: [], actors: [], from: null, to: null, direction: 'asc' } as const;
  const list = (search: string) =>
    ask(new ListAuditLog({ caller: ada, filter: { ...filter, search }, page: firstPage, parameters: {} }));

  it('lists administrative changes with the names of who made them', async () => {
    const { value } = await list('ci');
    expect(value.entries).toMatchObject([{ type: 'service_account_created', actor: { name: 'ada' }, before: {} }]);
  });
  it('lists nothing that the search excludes', async () => {
    expect(await list('nobody')).toMatchObject({ value: { total_count: 0, entries: [] } });
  });
});

describe('ListEventsHandler', () => {
  const list = (caller: typeof ada) => ask(new ListEvents({ caller, cursor: null, types: [], limit: 500 }));

  it('lists the events of the organization of the caller only', async () => {
    const { value } = await list(ada);
    expect(value).toMatchObject({ more: false, reset: false });
    expect(value.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['assurance.trail.begun.v1', 'assurance.settings.changed.v1']),
    );
    expect((await list(stranger)).value).toMatchObject({ events: [], more: false });
  });
});

describe('GetOrganizationHandler', () => {
  it('answers the organization', async () => {
    expect(await ask(new GetOrganization({ caller: ada }))).toMatchObject({
      name: 'acme',
      kind: 'shared',
      experimental_features_enabled: false,
    });
  });
});

describe('GetDefaultOrganizationHandler', () => {
  it('answers the organization that a user chose, null when none was chosen', async () => {
    expect(await ask(new GetDefaultOrganization({ userId: ACME.ada }))).toBe('acme');
    expect(await ask(new GetDefaultOrganization({ userId: ACME.eve }))).toBeNull();
    expect(await ask(new GetDefaultOrganization({ userId: 'nobody' }))).toBeNull();
  });
});

describe('ListIdentitiesHandler', () => {
  it('lists the identities by which a user signs in', async () => {
    expect(await ask(new ListIdentities({ userId: ACME.ada }))).toEqual([
      { id: ACME.identity, issuer: 'https://id.test', subject: 'ada', email: 'ada@id.test' },
    ]);
    expect(await ask(new ListIdentities({ userId: ACME.eve }))).toEqual([]);
  });
});

describe('ListServiceAccountsHandler', () => {
  it('lists the service accounts that the caller may see', async () => {
    expect(await ask(new ListServiceAccounts({ caller: ada, principal: admin }))).toMatchObject([
      { name: 'ci', privilege: 'snapshotter' },
    ]);
    expect(await ask(new ListServiceAccounts({ caller: ada, principal: reader }))).toEqual([]);
  });
});

describe('GetServiceAccountHandler', () => {
  it('answers a service account with its keys', async () => {
    expect(await ask(new GetServiceAccount({ caller: ada, principal: admin, name: 'ci' }))).toMatchObject(
      ok({ account: { name: 'ci' }, keys: [] }),
    );
  });
  it('refuses an unknown one and a caller who may not see it', async () => {
    expect(await ask(new GetServiceAccount({ caller: ada, principal: admin, name: 'nobody' }))).toEqual(
      err({ kind: 'service-account-unknown' }),
    );
    expect(await ask(new GetServiceAccount({ caller: ada, principal: reader, name: 'ci' }))).toEqual(
      err({ kind: 'forbidden' }),
    );
  });
});

describe('ListUserKeysHandler', () => {
  it('lists the keys of a user without their secrets', async () => {
    const [key] = await ask(new ListUserKeys({ userId: ACME.ada }));
    expect(key).toEqual({
      id: 'key-ada',
      description: 'laptop',
      created_at: ACME.at / 1_000 + 1,
      expires_at: 0,
      last_used_at: 0,
    });
    expect(await ask(new ListUserKeys({ userId: 'nobody' }))).toEqual([]);
  });
});

describe('ListSpacesHandler', () => {
  it('lists spaces', async () => {
    const page = await ask(new ListSpaces({ caller: ada, filter: { archived: false }, page: firstPage }));
    expect(page.spaces).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'payments' })]));
  });
  it('lists nothing that the filter excludes', async () => {
    expect(await ask(new ListSpaces({ caller: ada, filter: { archived: true }, page: firstPage }))).toMatchObject({
      total_count: 0,
      spaces: [],
    });
  });
});

describe('GetSpaceHandler', () => {
  it('answers a space', async () => {
    expect(await ask(new GetSpace({ caller: ada, id: 'space-1' }))).toMatchObject(
      ok({ id: 'space-1', name: 'payments' }),
    );
  });
  it('refuses an unknown space', async () => {
    expect(await ask(new GetSpace({ caller: ada, id: 'nobody' }))).toEqual(
      err({ kind: 'space-unknown', org: 'acme', id: 'nobody' }),
    );
  });
});

const noControl = err({ kind: 'control-unknown', org: 'acme', identifier: 'nobody' });

describe('ListControlsHandler', () => {
  const list = (search: string) =>
    ask(
      new ListControls({
        caller: ada,
        filter: { tags: [], archived: false, search },
        page: firstPage,
        direction: 'asc',
      }),
    );

  it('lists controls', async () => {
    expect(await list('review')).toMatchObject({ body: { total_count: 1, controls: [{ identifier: 'C-1' }] } });
  });
  it('lists nothing that the search excludes', async () => {
    expect(await list('nobody')).toMatchObject({ body: { total_count: 0, controls: [] } });
  });
});

describe('GetControlHandler', () => {
  it('answers a control', async () => {
    expect(await ask(new GetControl({ caller: ada, identifier: 'C-1' }))).toMatchObject(
      ok({ identifier: 'C-1', name: 'Review' }),
    );
  });
  it('refuses an unknown control', async () =>
    expect(await ask(new GetControl({ caller: ada, identifier: 'nobody' }))).toEqual(noControl));
});

describe('ListControlTagsHandler', () => {
  it('lists the tags of controls when there are none', async () =>
    expect(await ask(new ListControlTags({ caller: ada }))).toEqual([]));
});

describe('ListControlVersionsHandler', () => {
  const list = (identifier: string, page = firstPage) =>
    ask(new ListControlVersions({ caller: ada, identifier, page, direction: 'desc' }));

  it('lists the versions of a control, and none beyond the last page', async () => {
    expect(await list('C-1')).toMatchObject(ok({ total_count: 1, versions: [{ version: 1, created_by: 'ada' }] }));
    expect(await list('C-1', { ...firstPage, page: 2 })).toMatchObject(ok({ versions: [] }));
  });
  it('refuses an unknown control', async () => expect(await list('nobody')).toEqual(noControl));
});

describe('GetControlVersionHandler', () => {
  const get = (identifier: string, number: string) => ask(new GetControlVersion({ caller: ada, identifier, number }));

  it('answers a version', async () =>
    expect(await get('C-1', '1')).toMatchObject(ok({ identifier: 'C-1', name: 'Review', version: 1 })));
  it.each(['0', '2', 'x', '99999999999'])('refuses %s, which is no version', async (version) =>
    expect(await get('C-1', version)).toEqual(
      err({ kind: 'control-version-unknown', org: 'acme', identifier: 'C-1', version }),
    ),
  );
  it('refuses an unknown control', async () => expect(await get('nobody', '1')).toEqual(noControl));
});

describe('ListControlDecisionsHandler', () => {
  const filter = { compliant: null, from: null, to: null, flows: [] };
  const list = (identifier: string) =>
    ask(new ListControlDecisions({ caller: ada, identifier, filter, page: firstPage, direction: 'desc' }));

  it('lists the decisions on a control when there are none', async () =>
    expect(await list('C-1')).toMatchObject(ok({ body: { total_count: 0, decisions: [] } })));
  it('refuses an unknown control', async () => expect(await list('nobody')).toEqual(noControl));
});

describe('GetControlDecisionHandler', () => {
  const get = (identifier: string) => ask(new GetControlDecision({ caller: ada, identifier, id: 'nothing' }));

  it('refuses an unknown decision and an unknown control', async () => {
    expect(await get('C-1')).toEqual(err({ kind: 'decision-unknown', identifier: 'C-1', id: 'nothing' }));
    expect(await get('nobody')).toEqual(noControl);
  });
});

describe('GetControlCoverageHandler', () => {
  const get = (identifier: string) =>
    ask(new GetControlCoverage({ caller: ada, identifier, filter: { covered: null }, page: firstPage }));

  it('answers the environments that do not ask for a control', async () => {
    expect(await get('C-1')).toMatchObject(ok({ environments: [{ name: 'production', covered: false }] }));
  });
  it('refuses an unknown control', async () => expect(await get('nobody')).toEqual(noControl));
});

describe('ListPoliciesHandler', () => {
  it('lists the policies of the organization of the caller only', async () => {
    expect(await ask(new ListPolicies({ caller: ada }))).toMatchObject([{ name: 'strict' }]);
    expect(await ask(new ListPolicies({ caller: stranger }))).toEqual([]);
  });
});

describe('GetPolicyHandler', () => {
  it('answers a policy', async () => {
    expect(await ask(new GetPolicy({ caller: ada, name: 'strict' }))).toMatchObject(ok({ name: 'strict' }));
  });
  it('refuses an unknown policy', async () => {
    expect(await ask(new GetPolicy({ caller: ada, name: 'nobody' }))).toEqual(
      err({ kind: 'policy-unknown', org: 'acme', name: 'nobody' }),
    );
  });
});

describe('ListAttestationTypesHandler', () => {
  it('lists the types of the organization of the caller only', async () => {
    expect(await ask(new ListAttestationTypes({ caller: ada }))).toMatchObject([{ name: 'coverage' }]);
    expect(await ask(new ListAttestationTypes({ caller: stranger }))).toEqual([]);
  });
});

describe('GetAttestationTypeHandler', () => {
  const get = (name: string, version?: number) => ask(new GetAttestationType({ caller: ada, name, version }));

  it('answers a type with all versions, or with one', async () => {
    expect(await get('coverage')).toMatchObject(ok({ name: 'coverage' }));
    expect(await get('coverage', 1)).toMatchObject(ok({ name: 'coverage' }));
  });
  it('refuses an unknown type and an unknown version', async () => {
    expect(await get('nobody')).toEqual(err({ kind: 'attestation-type-unknown', org: 'acme', name: 'nobody' }));
    const unknown = err({ kind: 'attestation-type-version-unknown', name: 'coverage', version: 2 });
    expect(await get('coverage', 2)).toEqual(unknown);
  });
});

describe('GetActionsHandler', () => {
  it('lists the notifications of environments and of flows', async () => {
    const result = await ask(new GetActions({ caller: ada, number: null }));
    expect(result).toMatchObject(ok([{ type: 'env', environments: ['production'], flows: null }]));
  });
  it('refuses an unknown number', async () => {
    expect(await ask(new GetActions({ caller: ada, number: '99' }))).toEqual(err({ kind: 'notification-unknown' }));
  });
});

describe('GetKeyExpiryHandler', () => {
  it('answers without recipients of key warnings when no recipient was set', async () => {
    const none = { scope: null, targets: [], last_notified_at: null, last_failure: null };
    expect(await ask(new GetKeyExpiry({ caller: ada }))).toMatchObject(
      ok({ notification_type: 'api_key_expiry', ...none }),
    );
  });
});

describe('GetNotificationsHandler', () => {
  const get = (number: string | null) => ask(new GetNotifications({ caller: ada, number }));

  it('answers all notifications, or the notification with a number', async () => {
    for (const number of [null, '1']) expect(await get(number)).toMatchObject(ok([{ name: 'ops' }]));
  });
  it('refuses an unknown number and what is no number', async () => {
    for (const number of ['2', 'x']) expect(await get(number)).toEqual(err({ kind: 'notification-unknown' }));
  });
});

describe('GetTargetConfigsHandler', () => {
  const get = (name: string | null) => ask(new GetTargetConfigs({ caller: ada, name }));

  it('answers all target configurations, or the configuration with a name', async () => {
    for (const name of [null, 'shared']) expect(await get(name)).toMatchObject(ok([{ name: 'shared' }]));
  });
  it('refuses an unknown name', async () => {
    expect(await get('nobody')).toEqual(err({ kind: 'target-config-unknown', name: 'nobody', org: 'acme' }));
  });
});

describe('ListDeliveriesHandler', () => {
  const list = (number: string) => ask(new ListDeliveries({ caller: ada, number, page: { before: null, limit: 10 } }));

  it('lists nothing of a notification that sent nothing', async () => {
    expect(await list('1')).toMatchObject(ok({ deliveries: [] }));
  });
  it('refuses an unknown number', async () => expect(await list('2')).toEqual(err({ kind: 'notification-unknown' })));
});

describe('GetRetentionHandler', () => {
  it('answers what the organization of the caller drops and holds', async () => {
    const days = { attachments_days: 3_650, payloads_days: null, snapshots_days: null };
    const holds = [
      {
        flow: 'shop',
        trail: 'build-1',
        reason: 'audit',
        placed_by: 'ada',
        placed_at: ACME.at / 1_000 + 1,
        dropped_before: [],
      },
    ];
    expect(await ask(new GetRetention({ caller: ada }))).toEqual({ ...days, holds, dropped: [] });
  });
  it('answers that an organization without settings drops and holds nothing', async () => {
    const days = { attachments_days: null, payloads_days: null, snapshots_days: null };
    expect(await ask(new GetRetention({ caller: stranger }))).toEqual({ ...days, holds: [], dropped: [] });
  });
});
