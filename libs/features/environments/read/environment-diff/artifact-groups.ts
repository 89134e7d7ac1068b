import type { RunningArtifact } from '@assurance/contracts/environments/events';
import type { FlowNameOf } from '@assurance/flows/lookups/flow-names';
import { groupBy, plausibleTime, type Slices } from '@assurance/kernel';
import { byKey } from '../../domain/runs';
import type { Snapshot } from '../../domain/snapshot';

/** One side of a comparison: what ran, and how it is called (`production#3`). */
export interface Side {
  readonly id: string;
  readonly snapshot: Pick<Snapshot, 'artifacts'>;
}

/** An artifact under all its names. */
export type ArtifactGroup = readonly [RunningArtifact, ...RunningArtifact[]];

/** The artifacts of a side by fingerprint, and by name where the digest is unknown. */
export async function groupsOf({ snapshot }: Side, slices: Slices): Promise<ReadonlyMap<string, ArtifactGroup>> {
  await slices.pause();
  const sorted = [...snapshot.artifacts].sort(byKey);
  await slices.pause();
  return groupBy(sorted, ({ fingerprint, name }) => (fingerprint === '' ? `\n${name}` : fingerprint));
}

/** What every list of a comparison says of an artifact, under its first name. */
export function comparedFieldsOf(all: ArtifactGroup, flowNameOf: FlowNameOf) {
  const [{ fingerprint, name, flows }] = all;
  const [first] = flows;
  const pods = all.flatMap(({ contexts = [] }) =>
    contexts.flatMap((context) => (context.of === 'pod' ? [context.pod] : [])),
  );
  return {
    fingerprint,
    flow: first === undefined ? '' : flowNameOf(first.flow),
    name,
    git_commit: first?.gitCommit ?? '',
    commit_url: first?.commitUrl ?? '',
    most_recent_timestamp: youngestTime(all),
    ...(pods.length === 0 ? {} : { pods: [...new Set(pods)].sort() }),
  };
}

/** How many instances run under all names. */
export function countOf(all: ArtifactGroup): number {
  return all.reduce((sum, { instances }) => sum + instances.length, 0);
}

/** Epoch seconds, whole; where no creation time is known, that of the snapshot in which it started. */
export function youngestTime(all: ArtifactGroup): number {
  return all.reduce(
    (newest, { instances, since }) =>
      instances.reduce(
        (latest, created) => Math.max(latest, plausibleTime(created) ?? Math.floor(since.at / 1000)),
        newest,
      ),
    0,
  );
}
