import { type CollectionShape, index, orderBy } from '@assurance/contracts/events/aggregate';
import type { CountedList, CountedRows } from '@assurance/event-sourcing/projection/days/read';
import { periodCounts } from '@assurance/event-sourcing/projection/days/revisions';
import { wordsCollection } from '../words';

/** A trail. The document has the id of the trail's stream. The aggregate state has the current details. */
export interface TrailRow {
  readonly org: string;
  /** Id of its flow. */
  readonly flow: string;
  readonly name: string;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** A trail with the commit that was set last. The texts are the first line of its message, and its author; at most 1,000 characters. */
export interface ListedTrail extends TrailRow {
  readonly commit?: string;
  readonly message?: string;
  readonly author?: string;
}

/** A row for each artifact that was reported in a trail. */
export interface TrailArtifactRow extends TrailRow {
  readonly fingerprint: string;
  /** The trail's stream. */
  readonly trail: string;
}

const newest = ['-createdAt', 'name'];

export const trailRows: CollectionShape<ListedTrail> = {
  name: 'view_trails',
  deferred: 'first',
  indexes: [
    index('by_organization', 'org', ...newest),
    index('by_flow', 'flow', ...newest),
    { ...index('by_commit', 'org', 'commit', ...newest), only: 'commit' },
  ],
};

export const trailArtifactRows: CollectionShape<TrailArtifactRow> = {
  name: 'view_trail_artifacts',
  deferred: 'first',
  indexes: [
    index('by_organization', 'org', 'fingerprint', ...newest),
    index('by_flow', 'flow', 'fingerprint', ...newest),
  ],
};

/** Words of the names and commits of trails. The items have the ids of the trails' streams. */
export const trailWords = wordsCollection('view_trail_words');

const periods = periodCounts('view_trail_counts');
export const countedTrails: CountedRows<TrailRow> = {
  rows: trailRows,
  periods,
  moment: 'createdAt',
  order: orderBy(...newest),
};
export const countedTrailArtifacts: CountedRows<TrailArtifactRow> = { ...countedTrails, rows: trailArtifactRows };

/** The scope of a list of trails: an organization, or a flow. */
export type TrailScope = { readonly org: string } | { readonly flow: string };

/** Returns a counted list of trails. With a fingerprint, it lists the trails in which the artifact was reported. */
export function trailList(scope: TrailScope, fingerprint: string | null): CountedList {
  const key = 'org' in scope ? `org/${scope.org}` : `flow/${scope.flow}`;
  return fingerprint === null
    ? { key, where: { ...scope } }
    : { key: `${key}/fingerprint/${fingerprint}`, where: { ...scope, fingerprint } };
}

/** All collections of the view. */
export const trailCollections = [trailRows, trailArtifactRows, trailWords, periods] as const;
