import { numberedPageFields } from '../../http/answers/common';
import { component, flag, integer, list, nullable, number, object, type TypeOf, text } from '../../http/shape';

/** A component of a bill of materials. */
const sbomComponent = {
  purl: nullable(text('Canonical package URL; null if the bill of materials has none that is valid.')),
  name: text(),
  version: nullable(text()),
  licences: list(text()),
  sha256: nullable(text()),
};
export const listedComponent = component('SbomComponent', sbomComponent);

/** Counts of what an answer cannot know. Every answer has them. */
export const unjudged = {
  without_sbom: integer(
    'How many artifacts have no bill of materials of which components are recorded. They may contain anything.',
  ),
  incomplete_sbom: integer('How many artifacts have a bill of materials with more components than are recorded.'),
  unmatched_components: integer(
    'How many components no database of vulnerabilities can be compared with: they have no package URL that can be read, or one of an ecosystem that no database has. A bill of materials without components counts as one. Each artifact counts by itself.',
  ),
};

/** Where an artifact ran, from its first start in an environment to its last end. */
export const componentPlace = component('ComponentPlace', {
  environment: text('Its name now.'),
  first_snapshot: integer(),
  first_seen: number('Epoch seconds.'),
  running: flag('Whether it runs there now.'),
  last_snapshot: nullable(integer('The snapshot in which it was gone; null while it runs, and if no snapshot tells.')),
  last_seen: nullable(number('When it was gone, in epoch seconds; null as `last_snapshot`.')),
});
export type ComponentPlace = TypeOf<typeof componentPlace>;

export const artifactWithComponent = component('ArtifactWithComponent', {
  component: listedComponent,
  fingerprint: text('SHA-256 of the artifact.'),
  artifact_name: text('Empty without provenance.'),
  flow: nullable(text()),
  git_commit: nullable(text()),
  repository: nullable(text('Name of the repository.')),
  environment_count: integer('In how many environments it ran, of those that are asked for.'),
  environments: list(componentPlace, 'The first 100.'),
});
export type ArtifactWithComponent = TypeOf<typeof artifactWithComponent>;

export const componentSearch = component('ComponentSearch', {
  ...numberedPageFields,
  ...unjudged,
  not_comparable: object({
    total_count: integer(),
    components: list(listedComponent, 'The first 100. Ask for them by their exact version.'),
  }),
  artifacts: list(artifactWithComponent),
});
export type ComponentSearch = TypeOf<typeof componentSearch>;

export const artifactComponents = component('ArtifactComponents', {
  fingerprint: text(),
  ...numberedPageFields,
  ...unjudged,
  components: list(listedComponent),
});
export type ArtifactComponents = TypeOf<typeof artifactComponents>;

export const runningComponent = component('RunningComponent', {
  ...sbomComponent,
  artifact_count: integer('How many of the artifacts have it.'),
  fingerprints: list(text(), 'The first 10 of them.'),
});
export type RunningComponent = TypeOf<typeof runningComponent>;

export const environmentComponents = component('EnvironmentComponents', {
  environment: text(),
  snapshot: integer('The index of the snapshot; 0 before the first.'),
  ...numberedPageFields,
  ...unjudged,
  components: list(runningComponent),
});
export type EnvironmentComponents = TypeOf<typeof environmentComponents>;

const side = object({
  snapshot_id: text('Such as `production#3`.'),
  ...unjudged,
  ...numberedPageFields,
  components: list(runningComponent),
});

export const componentDifference = component('ComponentDifference', {
  snappish1: side,
  snappish2: side,
  unchanged_count: integer('How many components both have.'),
});
export type ComponentDifference = TypeOf<typeof componentDifference>;
