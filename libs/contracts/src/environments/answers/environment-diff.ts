import { component, integer, list, object, type TypeOf, text } from '../../http/shape';
import { artifactPage } from './snapshot';

/** What every list of a comparison says of an artifact. */
export const comparedFields = {
  fingerprint: text('Empty if the digest is unknown.'),
  flow: text('Name of the first flow; empty without provenance.'),
  name: text(),
  git_commit: text('Of the same report as the flow; empty without provenance.'),
  commit_url: text('Empty if unknown.'),
  most_recent_timestamp: integer('When its newest instance was created, in epoch seconds.'),
};
/** What only some types of environments report. */
export const comparedPods = { pods: list(text(), 'Names of its pods; absent for other types.') };

/** An artifact that runs in only one of the snapshots, or in both without a difference. */
export const diffArtifact = component(
  'EnvironmentDiffArtifact',
  { ...comparedFields, instance_count: integer() },
  comparedPods,
);
export type DiffArtifact = TypeOf<typeof diffArtifact>;

/** An artifact that runs in both snapshots with different numbers of instances. */
export const changedArtifact = component(
  'EnvironmentDiffChangedArtifact',
  { ...comparedFields, s1_instance_count: integer(), s2_instance_count: integer() },
  comparedPods,
);
export type ChangedArtifact = TypeOf<typeof changedArtifact>;

const page = { artifact_page: artifactPage };
const side = (description: string) =>
  object({ snapshot_id: text('Such as `production#3`.'), artifacts: list(diffArtifact, description) }, page);

export const environmentDiff = component('EnvironmentDiff', {
  snappish1: side('Artifacts that run only in the first.'),
  snappish2: side('Artifacts that run only in the second.'),
  changed: object({ artifacts: list(changedArtifact, 'Artifacts that run in both in different numbers.') }, page),
  'not-changed': object({ artifacts: list(diffArtifact, 'Artifacts that run in both in equal numbers.') }, page),
});
export type EnvironmentDiffAnswer = TypeOf<typeof environmentDiff>;
