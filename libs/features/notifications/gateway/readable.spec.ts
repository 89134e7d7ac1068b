import type { Role } from '@assurance/contracts/access/events';
import { kindOf, streams } from '@assurance/contracts/events/streams';
import type { Permission } from '@assurance/contracts/http/roles';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { Documents } from '@assurance/storage-ports';
import { READ_BY, readableStreams } from './readable';

const kinds = Object.values(streams).map((make) =>
  kindOf(typeof make === 'string' ? make : (make as (...ids: string[]) => string)('1', '2', '3')),
);
const ACCOUNT = 'service-account/1';
const OWN = 'service-account/2';
const documents = {
  collection: () => ({
    get: (stream: string) => Promise.resolve({ createdBy: stream === OWN ? 'u1' : 'u2' }),
  }),
} as unknown as Documents;
const readableBy = (role: Role, ...of: string[]) =>
  readableStreams(of, { id: 'u1', kind: 'user', name: 'ada', role }, documents);

/** The route that reads each kind, if there is one. */
const ROUTES: Readonly<Record<string, Route>> = {
  membership: routes.listMembers,
  invitation: routes.listInvitations,
  'service-account': routes.listServiceAccounts,
  environment: routes.getEnvironment,
  flow: routes.getFlow,
  trail: routes.getTrail,
  artifact: routes.getArtifact,
  'attestation-type': routes.getAttestationType,
  control: routes.getControl,
  policy: routes.getPolicy,
  repo: routes.getRepo,
  retention: routes.getRetention,
  spaces: routes.getSpace,
  notification: routes.getNotification,
  'target-config': routes.getTargetConfig,
  vulnerabilities: routes.listVulnerabilities,
};

describe('changes that open pages receive', () => {
  it('are decided for each kind of stream', () => {
    expect(Object.keys(READ_BY).sort()).toEqual([...new Set(kinds)].sort());
  });

  it('need what the route of their kind needs', () => {
    const needed: Record<string, Permission | string | null> = Object.fromEntries(
      Object.entries(ROUTES).map(([kind, { permission }]) => [kind, permission]),
    );
    const others = Object.entries(READ_BY).filter(([kind]) => ROUTES[kind] === undefined);
    expect({ ...Object.fromEntries(others), ...needed }).toEqual(READ_BY);
  });

  it.each<[Role, string[]]>([
    ['admin', ['environment/1', 'invitation/o/1', 'retention/o', ACCOUNT, OWN]],
    ['member', ['environment/1', ACCOUNT, OWN]],
    ['snapshotter', ['environment/1', OWN]],
    ['auditor', ['environment/1', 'invitation/o/1', 'retention/o', ACCOUNT, OWN]],
    ['reader', ['environment/1']],
  ])('are for the role %s those that it may read', async (role, expected) => {
    const all = ['environment/1', 'invitation/o/1', 'retention/o', 'name/o/flow/a', 'unheard-of/1', ACCOUNT, OWN];
    expect(await readableBy(role, ...all)).toEqual(expected);
  });
});
