import { type CollectionShape, index, orderBy } from '@assurance/contracts/events/aggregate';
import type { CountedList, CountedRows } from '@assurance/event-sourcing/projection/days/read';
import { periodCounts } from '@assurance/event-sourcing/projection/days/revisions';
import { wordsCollection } from '../words';

/** A row of a list of reports, or of builds. The provenance of the artifact has the details. */
export interface ArtifactRow {
  /** The key of its list. */
  readonly list: string;
  readonly fingerprint: string;
  /** The stream that reported it. */
  readonly stream: string;
  /** Epoch seconds. */
  readonly reportedAt: number;
  readonly artifactId: string;
  /** The earlier moments of the row, until the days of these moments are revised. */
  readonly left: readonly number[];
}

const newest = ['-reportedAt', '-artifactId'];

export const artifactRows: CollectionShape<ArtifactRow> = {
  name: 'view_artifacts',
  deferred: 'first',
  indexes: [index('by_list', 'list', ...newest)],
};

export const countedArtifacts: CountedRows<ArtifactRow> = {
  rows: artifactRows,
  periods: periodCounts('view_artifact_counts'),
  moment: 'reportedAt',
  order: orderBy(...newest),
};

/** The scope of a list of artifacts. Within a flow it shows each report; otherwise it shows each artifact once, by its newest report. */
export type ArtifactScope =
  | { readonly org: string }
  | { readonly flow: string }
  | { readonly repo: string }
  | { readonly flow: string; readonly repo: string };

export function artifactList(scope: ArtifactScope): CountedList {
  const key = Object.entries(scope).flat().join('/');
  return { key, where: { list: key } };
}

/** The scope of a list of builds, which shows each artifact once, by its first report. */
type BuildScope = { readonly org: string } | { readonly repo: string };

const BUILDS = 'builds/';

export function buildList(scope: BuildScope): CountedList {
  const key = BUILDS + Object.entries(scope).flat().join('/');
  return { key, where: { list: key } };
}

/** Whether a row belongs to a list of builds. */
export function isBuild({ list }: Pick<ArtifactRow, 'list'>): boolean {
  return list.startsWith(BUILDS);
}

/** A flow in which artifacts of a repository were reported. */
export interface RepoFlow {
  readonly repo: string;
  readonly flow: string;
}

export const repoFlows: CollectionShape<RepoFlow> = {
  name: 'view_repo_flows',
  deferred: 'first',
  indexes: [index('by_repo', 'repo', 'flow')],
};

/** Words of names, commit messages and authors in the first report of each stream. The items have the ids of the provenances. */
export const artifactWords = wordsCollection('view_artifact_words');

/** All collections of the view. */
export const artifactCollections = [artifactRows, artifactWords, countedArtifacts.periods, repoFlows] as const;
