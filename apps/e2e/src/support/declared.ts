/** The roles, from the mightiest down. */
export const ROLES = ['admin', 'member', 'snapshotter', 'auditor', 'reader'] as const;
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

const organization = (name: string) => `  - name: ${name}
    members:
${ROLES.map((role) => `      - { user: user-${role}, role: ${role} }`).join('\n')}
    service_accounts:
${ROLES.map((role) => `      - { name: ci-${role}, privilege: ${role}, description: "", api_keys: [{ key: ${keyOf(role, name)}, description: "", expires_at: 0 }] }`).join('\n')}
`;

const MORE_KEYS = `      - name: keys
        privilege: admin
        description: ""
        api_keys:
          - { key: ${EXPIRED_KEY}, description: "", expires_at: 1000000000 }
          - { key: ${LATE_KEY}, description: "", expires_at: 4102444800 }
`;

const file = (organizations: string) => `
users:
${ROLES.map((role) => `  - { name: user-${role}, email: ${role}@example.com, api_keys: [{ key: ${userKeyOf(role)}, description: laptop, expires_at: 0 }] }`).join('\n')}
  - { name: stranger, email: stranger@example.com, api_keys: [] }
organizations:
${organizations}  - name: other
    members: [{ user: stranger, role: admin }]
    service_accounts: [{ name: ci, privilege: admin, description: "", api_keys: [{ key: ${OTHER_KEY}, description: "", expires_at: 0 }] }]
`;

/** A bootstrap file: these organizations, each with a service account and a user of each role, and `other` with a user of its own. */
export const declared = (...names: readonly string[]) => file(names.map(organization).join(''));

/** The bootstrap file of services that are not shared. */
export const BOOTSTRAP = file(organization(ORG) + MORE_KEYS);
