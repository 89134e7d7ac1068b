/** Example bodies for the OpenAPI document. A spec checks them by their shapes and schemas. */
const SHA = '4f'.repeat(20);
const FINGERPRINT = 'c0ffee00'.repeat(8);

export const samples = {
  environment: { name: 'production', type: 'docker', description: 'Where customers are', include_scaling: false },
  report: { artifacts: [{ digests: { 'shop/web:1.4': FINGERPRINT }, creationTimestamp: 1700000889 }] },
  flow: { name: 'shop-web', description: 'The web shop', visibility: 'private' },
  listFlow: { name: 'shop-web', description: 'The web shop', template: ['artifact', 'unit-test'] },
  artifact: {
    fingerprint: FINGERPRINT,
    filename: 'shop/web:1.4',
    git_commit: SHA,
    git_commit_info: {
      sha1: SHA,
      message: 'Sell tea',
      author: 'Ada <ada@example.com>',
      branch: 'main',
      timestamp: 1700000000,
    },
    repo_info: { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github', id: '4711' },
    build_url: 'https://ci.example.com/runs/7',
    commit_url: `https://github.com/acme/shop/commit/${SHA}`,
    template_reference_name: 'web',
    trail_name: SHA,
  },
} as const;
