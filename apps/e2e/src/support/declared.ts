/** The roles, from the mightiest down. */
export const ROLES = ['admin', 'member', 'snapshotter', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** The name by which specs call the organization that they work in. */
export const ORG = 'acme';

/** The key of the service account of this role. */
export const keyOf = (role: Role, org = ORG) => `${org}-${role}-key`;
export const userKeyOf = (role: Role) => `acme-${role}-user-key`;
export const OTHER_KEY = 'other-admin-key';
export const EXPIRED_KEY = 'acme-expired-key';
/** It expires in the year 2100. */
export const LATE_KEY = 'acme-late-key';

const key = (of: string, expires_at = 0) => ({ key: of, description: '', expires_at });
const account = (name: string, privilege: Role, ...api_keys: object[]) => ({
  name,
  privilege,
  description: '',
  api_keys,
});

const organization = (name: string) => ({
  name,
  members: ROLES.map((role) => ({ user: `user-${role}`, role })),
  service_accounts: [
    ...ROLES.map((role) => account(`ci-${role}`, role, key(keyOf(role, name)))),
    ...(name === ORG ? [account('keys', 'admin', key(EXPIRED_KEY, 1_000_000_000), key(LATE_KEY, 4_102_444_800))] : []),
  ],
});

/**
 * A bootstrap file: these organizations, each with a service account and a user of each role, and `other` with a user of its own. JSON is
 * valid YAML.
 */
export const declared = (...names: readonly string[]) =>
  JSON.stringify({
    users: [
      ...ROLES.map((role) => ({
        name: `user-${role}`,
        email: `${role}@example.com`,
        api_keys: [{ ...key(userKeyOf(role)), description: 'laptop' }],
      })),
      { name: 'stranger', email: 'stranger@example.com', api_keys: [] },
    ],
    organizations: [
      ...names.map(organization),
      {
        name: 'other',
        members: [{ user: 'stranger', role: 'admin' }],
        service_accounts: [account('ci', 'admin', key(OTHER_KEY))],
      },
    ],
  });

/** The bootstrap file of a deployment that is not shared. */
export const BOOTSTRAP = declared(ORG);
