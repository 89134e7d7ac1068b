import { deploymentLinks, deploymentLinksExample } from '../../deployments/answers/deployment';
import { MADE_UP } from '../../http/answers/common';
import {
  anything,
  component,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
} from '../../http/shape';
import type { EnvironmentDiffAnswer } from './environment-diff';
import { ANNOTATIONS } from './snapshot';

/** The change that a snapshot recorded for one artifact. */
export const environmentEvent = component('EnvironmentEvent', {
  environment_name: text(),
  snapshot_index: integer('From 1.'),
  artifact_name: text(),
  sha256: text('Fingerprint of the artifact; empty if the digest is unknown.'),
  description: text('Such as `1 instance started running (from 0 to 1)`.'),
  reported_at: number('Epoch seconds.'),
  pipeline: text('Name of the first flow; empty without provenance.'),
  type: oneOf(ANNOTATIONS),
  artifact_compliance: nullable(flag()),
  snapshot_compliance: nullable(flag()),
  flows: list(object({ flow_name: text(), deployments: nullable(list(anything())) })),
  deployments: list(anything()),
  code_diff: nullable(text('Address of a page that compares the old and the new commit.')),
  _links: deploymentLinks,
});
export type EnvironmentEvent = TypeOf<typeof environmentEvent>;

const events: readonly EnvironmentEvent[] = [
  {
    environment_name: 'production',
    snapshot_index: 1,
    artifact_name: 'shop/web:1.4',
    sha256: MADE_UP.fingerprint,
    description: '1 instance started running (from 0 to 1)',
    reported_at: 1700000889.5,
    pipeline: 'shop-web',
    type: 'started',
    artifact_compliance: null,
    snapshot_compliance: null,
    flows: [{ flow_name: 'shop-web', deployments: null }],
    deployments: [],
    code_diff: null,
    _links: deploymentLinksExample,
  },
];

const shared = {
  flow: 'shop-web',
  git_commit: MADE_UP.sha,
  commit_url: `https://github.com/acme/shop/commit/${MADE_UP.sha}`,
  most_recent_timestamp: 1700000889,
};

const diff: EnvironmentDiffAnswer = {
  snappish1: {
    snapshot_id: 'staging#3',
    artifacts: [{ ...shared, fingerprint: MADE_UP.fingerprint, name: 'shop/web:1.4', instance_count: 1 }],
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
