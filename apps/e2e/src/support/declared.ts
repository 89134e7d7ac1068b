/** The roles, from the mightiest down. */
export const ROLES = ['admin', 'member', 'snapshotter', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** The bootstrap file of every deployment: a service account and a user of each role in `acme`, and a user in `other`. */
export const keyOf = (role: Role) => `acme-${role}-key`;
export const userKeyOf = (role: Role) => `acme-${role}-user-key`;
export const OTHER_KEY = 'other-admin-key';
export const EXPIRED_KEY = 'acme-expired-key';
/** It expires in the year 2100. */
export const LATE_KEY = 'acme-late-key';

export const BOOTSTRAP = `
users:
${ROLES.map((role) => `  - { name: user-${role}, email: ${role}@example.com, api_keys: [{ key: ${userKeyOf(role)}, description: laptop, expires_at: 0 }] }`).join('\n')}
  - { name: stranger, email: stranger@example.com, api_keys: [] }
organizations:
  - name: acme
    members:
${ROLES.map((role) => `      - { user: user-${role}, role: ${role} }`).join('\n')}
    service_accounts:
${ROLES.map((role) => `      - { name: ci-${role}, privilege: ${role}, description: "", api_keys: [{ key: ${keyOf(role)}, description: "", expires_at: 0 }] }`).join('\n')}
      - name: keys
        privilege: admin
        description: ""
        api_keys:
          - { key: ${EXPIRED_KEY}, description: "", expires_at: 1000000000 }
          - { key: ${LATE_KEY}, description: "", expires_at: 4102444800 }
  - name: other
    members: [{ user: stranger, role: admin }]
    service_accounts: [{ name: ci, privilege: admin, description: "", api_keys: [{ key: ${OTHER_KEY}, description: "", expires_at: 0 }] }]
`;
