import { attestedCommit, pageFields } from '../../http/answers/common';
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
import { allowListing, appliedPolicy, failureCause, isJudged, policyDecision } from '../../policies/answers/decision';
import { ENVIRONMENT_TYPES } from '../events';
import { contextFields } from './context';

export const snapshotListItem = component('SnapshotListItem', {
  index: integer('From 1.'),
  from: number('Epoch seconds.'),
  to: number('Epoch seconds; 0 for the current one.'),
  duration: number('Seconds.'),
  compliant: flag('False without policies.'),
  is_judged: isJudged,
});
export type SnapshotListItem = TypeOf<typeof snapshotListItem>;

/** The artifact of the same flow that ran before this one. */
export const deploymentDiff = component('DeploymentDiff', {
  diff_url: nullable(text()),
  previous_git_commit: text(),
  previous_git_commit_url: nullable(text()),
  previous_fingerprint: text(),
  previous_artifact_name: text(),
  previous_artifact_compliance_state: nullable(
    text('The verdict in its flow when the snapshot was created; null if no policy judges the environment.'),
  ),
  previous_running: flag('Whether it runs in this snapshot too.'),
  previous_trail_name: nullable(text()),
  previous_template_reference_name: nullable(text()),
});
export type DeploymentDiffAnswer = TypeOf<typeof deploymentDiff>;

/** One flow and trail in which the fingerprint is known. */
export const snapshotFlow = component('SnapshotFlow', {
  flow_name: text(),
  trail_name: nullable(text()),
  template_reference_name: nullable(text()),
  git_commit: text(),
  commit_url: nullable(text()),
  git_commit_info: nullable(attestedCommit),
  html_url: text(),
  flow_html_url: text(),
  deployment_diff: nullable(deploymentDiff),
  commit_lead_time: nullable(number('Seconds; may be negative.')),
  artifact_compliance_in_flow: nullable(flag()),
  flow_reasons_for_non_compliance: list(text()),
});
export type SnapshotFlow = TypeOf<typeof snapshotFlow>;

/** The names, in answers, of changes that a snapshot recorded for an artifact. */
export const ANNOTATIONS = [
  'unchanged',
  'changed',
  'started',
  'started-compliant',
  'started-non-compliant',
  'exited',
  'scaled',
  'updated-provenance',
] as const;

const snapshotArtifactFields = {
  name: text(),
  fingerprint: text('Empty if the digest is unknown.'),
  compliant: nullable(flag()),
  reasons_for_incompliance: list(text()),
  policy_decisions: list(policyDecision),
  allow_listing: nullable(allowListing),
  creationTimestamp: list(integer(), 'Epoch seconds, one for each instance; 0 where it is unknown.'),
  ...contextFields,
  annotation: object({ type: oneOf(ANNOTATIONS), was: integer(), now: integer('0: it exited in this snapshot.') }),
  flow_name: nullable(text()),
  git_commit: text('Empty without provenance.'),
  commit_url: nullable(text()),
  html_url: nullable(text()),
  flow_html_url: nullable(text()),
  deployments: list(anything()),
  commit_lead_time: nullable(number('Seconds; may be negative.')),
  deployment_diff: nullable(deploymentDiff),
  flows: list(snapshotFlow),
};

export const snapshotArtifact = component('SnapshotArtifact', snapshotArtifactFields, {
  running_in: list(
    text(),
    'Names of the members that ran it when the snapshot was made; of the latest snapshot, those that run it now. Only on pages of a snapshot of a logical environment, and only while the snapshots of its members are kept.',
  ),
});
export type SnapshotArtifact = TypeOf<typeof snapshotArtifact>;

/** Filters for the artifacts of a snapshot. */
export const ARTIFACTS_SHOWN = ['all', 'running', 'changed', 'non-compliant', 'allowed'] as const;
export type ArtifactsShown = (typeof ARTIFACTS_SHOWN)[number];

/** The number of a page of artifacts, and how many artifacts there are. */
export const artifactPage = object({
  ...pageFields,
});
export type ArtifactPage = TypeOf<typeof artifactPage>;

export const snapshotAnswer = component(
  'Snapshot',
  {
    index: integer('From 1.'),
    is_latest: flag(),
    timestamp: number('Epoch seconds.'),
    next_snapshot_timestamp: nullable(number('Epoch seconds.')),
    type: oneOf(ENVIRONMENT_TYPES),
    compliant: flag('False without policies.'),
    is_judged: isJudged,
    artifact_compliance_count: object({ true: integer(), false: integer(), null: integer() }),
    html_url: text(),
    artifacts: list(snapshotArtifact),
    applied_policies: list(appliedPolicy),
  },
  {
    artifact_page: artifactPage,
    failure_causes: list(failureCause, 'Only with `show=non-compliant`; the most frequent one first.'),
  },
);
export type SnapshotAnswer = TypeOf<typeof snapshotAnswer>;
