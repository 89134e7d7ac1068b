import { componentPlace, listedComponent, unjudged } from '../../components/answers/components';
import { numberedPageFields } from '../../http/answers/common';
import { component, flag, integer, list, nullable, number, object, oneOf, type TypeOf, text } from '../../http/shape';
import { SEVERITIES, VEX_STATUSES } from '../events';

const severity = nullable(oneOf(SEVERITIES, 'Of its entries the worst; null if none has one.'));

/** The source that names a vulnerability. */
const vulnerabilitySource = component('VulnerabilitySource', {
  kind: oneOf(['database', 'scanner']),
  name: text('The id of the entry, or the name of the scanner.'),
  severity: nullable(oneOf(SEVERITIES)),
  at: number('When the entry was modified, or the report of the scanner attested, in epoch seconds.'),
  attestation_id: nullable(text('The attestation with the report; null for an entry.')),
  attestation_name: nullable(text()),
});
export type VulnerabilitySource = TypeOf<typeof vulnerabilitySource>;

const unknownEcosystems = list(
  object({ name: text('As the entries have it, without the release.'), entries: integer() }),
  'Ecosystems whose entries no component is compared with, at most 100.',
);

export const importedFile = component('ImportedVulnerabilities', {
  imported: flag('False if this very file had been imported before: nothing changed.'),
  filename: text(),
  sha256: text('SHA-256 of the file.'),
  size: integer('Bytes.'),
  vulnerabilities: integer(),
  statements: integer(),
  unread: integer('How many entries and statements could not be read. The others are imported.'),
  problems: list(text(), 'Why, for the first 10.'),
  unknown_ecosystems: unknownEcosystems,
});
export type ImportedVulnerabilities = TypeOf<typeof importedFile>;

export const lastImport = nullable(
  component('LastVulnerabilityImport', {
    filename: text(),
    sha256: text('SHA-256 of the file.'),
    imported_at: number('Epoch seconds.'),
    imported_by: text(),
    vulnerabilities: integer(),
    statements: integer(),
    unread: integer(),
    unknown_ecosystems: unknownEcosystems,
  }),
);

/** The time in which any artifact that may have a vulnerability ran in an environment. */
const exposedTime = {
  first_snapshot: integer(),
  exposed_since: number('When the first such artifact was seen, in epoch seconds.'),
  gone_snapshot: nullable(
    integer('The snapshot in which the last one was gone; null while one runs, and if no snapshot tells.'),
  ),
  gone_at: nullable(number('Epoch seconds; null as `gone_snapshot`.')),
};
const exposedEnvironment = component('ExposedEnvironment', {
  environment: text('Its name now.'),
  exposed: flag('Whether such an artifact runs there now. VEX statements do not change it.'),
  ...exposedTime,
});
export type ExposedEnvironment = TypeOf<typeof exposedEnvironment>;

/** How many pairs of an artifact and a component have each state. `none`: there is no statement. */
const states = component('VexStates', {
  not_affected: integer(),
  affected: integer(),
  fixed: integer(),
  under_investigation: integer(),
  none: integer('Nobody said anything.'),
});
export type VexStates = TypeOf<typeof states>;

const shared = {
  id: text('Its CVE if it has one, else its GHSA, else the first of its names.'),
  aliases: list(text(), 'Its other names: at most 100.'),
  severity,
  sources: list(
    vulnerabilitySource,
    'Entries that match a component, then the newest reports of scanners: at most 20.',
  ),
  summary: text('Empty if no entry and no finding has one.'),
  published: nullable(number('When it was published first, in epoch seconds; null if unknown.')),
  modified: number('When an entry was modified last, else when a scanner found it last, in epoch seconds.'),
  exposed: flag('Whether an artifact that may have it runs anywhere now.'),
  artifact_count: integer('How many artifacts have a component that has it or may have it, or have it by a scanner.'),
  environment_count: integer('In how many environments these ran.'),
  environments: list(exposedEnvironment, 'The first 100, those that are exposed first.'),
  vex: states,
};

const listedVulnerability = component('ListedVulnerability', shared);
export type VulnerabilityItem = TypeOf<typeof listedVulnerability>;

export const vulnerabilityList = component('VulnerabilityList', {
  ...numberedPageFields,
  ...unjudged,
  last_import: lastImport,
  vulnerabilities: list(listedVulnerability),
});
export type VulnerabilityList = TypeOf<typeof vulnerabilityList>;

const vexState = nullable(
  component('VexState', {
    status: oneOf(VEX_STATUSES),
    justification: nullable(text('Why it is not affected, in the words of the format.')),
    by: nullable(text('Who said so; null if the document does not tell.')),
    at: nullable(number('When, in epoch seconds; null if the document does not tell.')),
  }),
);

/** The known data of a vulnerable component in an artifact. */
const vulnerable = {
  component: listedComponent,
  sources: list(vulnerabilitySource, 'Who says so: at most 20.'),
  certain: flag('False: whether the version is affected cannot be decided.'),
  entries: list(text(), 'The entries that say so: the first 20.'),
  fixed_in: list(text(), 'Versions without it, as its entries name them: the first 20.'),
  vex: vexState,
};

const vulnerableArtifact = component('VulnerableArtifact', {
  ...vulnerable,
  fingerprint: text('SHA-256 of the artifact.'),
  artifact_name: text('Empty without provenance.'),
  flow: nullable(text()),
  git_commit: nullable(text()),
  repository: nullable(text('Name of the repository.')),
  environment_count: integer('In how many environments it ran.'),
  environments: list(componentPlace, 'The first 100.'),
});
export type VulnerableArtifact = TypeOf<typeof vulnerableArtifact>;

const artifactVulnerability = component('ArtifactVulnerability', {
  id: text('As in the list of vulnerabilities.'),
  aliases: list(text(), 'Its other names: at most 100.'),
  severity,
  summary: text('Empty if no entry and no finding has one.'),
  ...vulnerable,
});
export type ArtifactVulnerability = TypeOf<typeof artifactVulnerability>;

export const artifactVulnerabilities = component('ArtifactVulnerabilities', {
  fingerprint: text('SHA-256 of the artifact.'),
  ...numberedPageFields,
  ...unjudged,
  last_import: lastImport,
  environment_count: integer('In how many environments it ran.'),
  environments: list(componentPlace, 'Since when it is exposed there, and until when: the first 100.'),
  vulnerabilities: list(artifactVulnerability, 'One page: one row for a vulnerability and a component.'),
});
export type ArtifactVulnerabilities = TypeOf<typeof artifactVulnerabilities>;

const entry = component('VulnerabilityEntry', {
  id: text(),
  severity: nullable(oneOf(SEVERITIES)),
  published: nullable(number('Epoch seconds; null if unknown.')),
  modified: number('Epoch seconds.'),
  withdrawn: nullable(number('Epoch seconds; null while it stands.')),
});

export const vulnerability = component('Vulnerability', {
  ...shared,
  exposures: list(
    component('ExposureTime', { environment: text('Its name now.'), ...exposedTime }),
    'Each time in which an environment was exposed without a break: the newest 100, by snapshot.',
  ),
  withdrawn: nullable(number('When its last entry was withdrawn, in epoch seconds; null while one stands.')),
  entries: list(entry, 'The entries of databases that are about it: at most 100.'),
  ...numberedPageFields,
  ...unjudged,
  artifacts: list(vulnerableArtifact, 'One page: one row for an artifact and a component.'),
});
export type VulnerabilityAnswer = TypeOf<typeof vulnerability>;
