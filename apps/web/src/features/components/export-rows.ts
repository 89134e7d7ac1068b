import type { Schemas } from '../../api/client';
import type { ExportColumns } from '../../parts/ExportButtons';

type Artifact = Schemas['ArtifactWithComponent'];

/** An artifact with the component, and one of the environments in which it ran; null if it ran nowhere. */
interface Row extends Omit<Artifact, 'environments'> {
  readonly place: Artifact['environments'][number] | null;
}

/** One row for each environment, so that a spreadsheet can sort them. */
export const rowsOf = (artifacts: readonly Artifact[]): readonly Row[] =>
  artifacts.flatMap(({ environments, ...artifact }): Row[] =>
    environments.length === 0 ? [{ ...artifact, place: null }] : environments.map((place) => ({ ...artifact, place })),
  );

const timeOf = (seconds: number | null | undefined) =>
  seconds == null ? null : new Date(seconds * 1000).toISOString();

export const COLUMNS: ExportColumns<Row> = [
  ['component', ({ component }) => component.name],
  ['version', ({ component }) => component.version],
  ['purl', ({ component }) => component.purl],
  ['licences', ({ component }) => component.licences.join('; ')],
  ['artifact_name', ({ artifact_name }) => artifact_name],
  ['fingerprint', ({ fingerprint }) => fingerprint],
  ['flow', ({ flow }) => flow],
  ['git_commit', ({ git_commit }) => git_commit],
  ['repository', ({ repository }) => repository],
  ['environment_count', ({ environment_count }) => environment_count],
  ['environment', ({ place }) => place?.environment],
  ['running', ({ place }) => place?.running.toString()],
  ['first_seen', ({ place }) => timeOf(place?.first_seen)],
  ['first_snapshot', ({ place }) => place?.first_snapshot],
  ['last_seen', ({ place }) => timeOf(place?.last_seen)],
  ['last_snapshot', ({ place }) => place?.last_snapshot],
];
