const key = {
  id: '018bcfe5-6800-7000-8000-00000000000a',
  description: 'build server',
  created_at: 1700000000,
  expires_at: 0,
};
const fresh = { ...key, key: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k' };

/** Examples of keys and of their owners. */
export const keySamples = {
  account: {
    name: 'ci',
    display_name: 'ci',
    privilege: 'member',
    description: 'Reports of the build pipeline',
    creating_user_id: '018bcfe5-6800-7000-8000-000000000001',
    created_at: 1700000000,
    for_webhook: false,
  },
  key: { ...key, last_used_at: 1700003600 },
  fresh,
  rotated: { ...fresh, grace_period_expires_at: 1700086400 },
};

export const invitationSample = {
  id: '018bcfe5-6800-7000-8000-00000000000c',
  email: 'grace@example.com',
  role: 'member',
  user: 'grace',
  invited_by: 'ada',
  created_at: 1700000000,
  expires_at: 1700604800,
} as const;
export const newInvitationSample = {
  ...invitationSample,
  token: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k',
} as const;
