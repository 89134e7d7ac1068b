import { integer, list, named, object, text, type Of } from '../shape';
import { artifactPage } from './snapshot';

const item = {
  fingerprint: text('Empty where the digest is unknown.'),
  flow: text('Name of the first flow; empty without provenance.'),
  name: text(),
  commit_url: text('Empty where unknown.'),
  most_recent_timestamp: integer('When its youngest instance was created: epoch seconds.'),
};
const pods = { pods: list(text(), 'Names of its pods; left out for what is no pod.') };

/** An artifact that runs in only one of the snapshots, or in both without a difference. */
export const diffArtifact = named('EnvironmentDiffArtifact', object({ ...item, instance_count: integer() }, pods));
export type DiffArtifact = Of<typeof diffArtifact>;

/** An artifact that runs in both, in other numbers. */
export const changedArtifact = named(
  'EnvironmentDiffChangedArtifact',
  object({ ...item, s1_instance_count: integer(), s2_instance_count: integer() }, pods),
);
export type ChangedArtifact = Of<typeof changedArtifact>;

const page = { artifact_page: artifactPage };
const side = (description: string) =>
  object({ snapshot_id: text('Such as `production#3`.'), artifacts: list(diffArtifact, description) }, page);

export const environmentDiff = named(
  'EnvironmentDiff',
  object({
    snappish1: side('Those that run in the first alone.'),
    snappish2: side('Those that run in the second alone.'),
    changed: object({ artifacts: list(changedArtifact, 'Those that run in both, in other numbers.') }, page),
    'not-changed': object({ artifacts: list(diffArtifact, 'Those that run in both alike.') }, page),
  }),
);
export type EnvironmentDiffAnswer = Of<typeof environmentDiff>;
