import type { EnvironmentDiffAnswer } from './environment-diff';
import type { EnvironmentEvent } from './environment-event';

/** Made-up answers for the OpenAPI document; the compiler and a spec hold them to their shapes. */
const SHA = '4f'.repeat(20);
const FINGERPRINT = 'c0ffee00'.repeat(8);
const HOST = 'https://assurance.example.com';

const events: readonly EnvironmentEvent[] = [
  {
    environment_name: 'production',
    snapshot_index: 1,
    artifact_name: 'shop/web:1.4',
    sha256: FINGERPRINT,
    description: '1 instance started running (from 0 to 1)',
    reported_at: 1700000889.5,
    pipeline: 'shop-web',
    type: 'started',
    artifact_compliance: null,
    snapshot_compliance: null,
    flows: [{ flow_name: 'shop-web', deployments: null }],
    deployments: [],
    code_diff: null,
    _links: {
      artifact: {
        self: `${HOST}/api/v2/artifacts/acme/shop-web/fingerprint/${FINGERPRINT}`,
        html: `${HOST}/acme/flows/shop-web/artifacts/${FINGERPRINT}?artifact_id=018bcfe5-6800-7000-8000-00000003`,
      },
      snapshot: {
        self: `${HOST}/api/v2/snapshots/acme/production/1`,
        html: `${HOST}/acme/environments/production/snapshots/1`,
      },
    },
  },
];

const shared = {
  flow: 'shop-web',
  git_commit: SHA,
  commit_url: `https://github.com/acme/shop/commit/${SHA}`,
  most_recent_timestamp: 1700000889,
};

const diff: EnvironmentDiffAnswer = {
  snappish1: {
    snapshot_id: 'staging#3',
    artifacts: [{ ...shared, fingerprint: FINGERPRINT, name: 'shop/web:1.4', instance_count: 1 }],
  },
  snappish2: { snapshot_id: 'production#5', artifacts: [] },
  changed: {
    artifacts: [
      {
        ...shared,
        fingerprint: 'beef'.repeat(16),
        name: 'shop/api:2.0',
        s1_instance_count: 1,
        s2_instance_count: 3,
      },
    ],
  },
  'not-changed': { artifacts: [] },
};

export const environmentEventExamples = { events, diff } as const;
