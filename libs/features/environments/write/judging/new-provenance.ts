import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { kindOf } from '@assurance/contracts/events/streams';
import { flow } from '@assurance/flows/domain/flow';
import { provenances } from '@assurance/flows/domain/provenance';
import { trail } from '@assurance/flows/domain/trail';
import { REPORTS_MAX } from '@assurance/flows/lookups/reports-by-fingerprint';
import { groupBy, mapInSlices, Slices } from '@assurance/kernel';
import { policy } from '@assurance/policies/domain/policy';
import type { CollectionDefinition, Commit, Documents } from '@assurance/storage-ports';

/** Fingerprints in one count. */
const GROUP = 100;

/**
 * Finds the fingerprints with more provenance than was recorded. Provenance is only added, so comparing counts is enough, and one count
 * serves a whole group. Usually nothing changed.
 *
 * @param recordedCounts in how many flows and trails each was known then, at least one of them
 * @returns in how many it is known now, for the changed ones
 */
export async function findNewProvenance(
  documents: Documents,
  org: string,
  recordedCounts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const collection = documents.collection(provenances);
  const newCounts = new Map<string, number>();
  const all = [...recordedCounts.keys()];
  const slices = new Slices();
  for (let i = 0; i < all.length; i += GROUP) {
    await slices.pause();
    const group = all.slice(i, i + GROUP);
    const then = group.reduce((sum, fingerprint) => sum + (recordedCounts.get(fingerprint) ?? 0), 0);
    if ((await collection.count({ org, fingerprint: { in: group } })) === then) continue;
    for (const fingerprint of group) {
      const now = Math.min(await collection.count({ org, fingerprint }), REPORTS_MAX);
      if (now > (recordedCounts.get(fingerprint) ?? 0)) newCounts.set(fingerprint, now);
    }
  }
  return newCounts;
}

/** The lowest recorded count of each fingerprint: it may run under several names, each with its own start. */
export async function lowestProvenanceCounts(
  artifacts: Iterable<{ readonly fingerprint: string; readonly known: number }>,
): Promise<Map<string, number>> {
  const least = new Map<string, number>();
  await mapInSlices(artifacts, ({ fingerprint, known }) => {
    if (fingerprint !== '') least.set(fingerprint, Math.min(known, least.get(fingerprint) ?? known));
  });
  return least;
}

/** How many aggregate states a read brings at once. */
const PAGE = 1_000;
const STATES: ReadonlyMap<string, CollectionDefinition<{ readonly seq: number }>> = new Map(
  [flow, trail, policy].map(({ kind, states: aggregateStates }) => [
    kind,
    aggregateStates as CollectionDefinition<{ readonly seq: number }>,
  ]),
);

/** The recorded data of a running artifact. */
interface RecordedArtifact {
  readonly commit: Commit;
  readonly fingerprint: string;
  readonly known: number;
}

/** The artifacts of some snapshots that have more provenance now than when their snapshot was decided. */
export async function movedSnapshots(
  documents: Documents,
  snapshots: readonly { readonly commit: Commit; readonly event: SnapshotRecorded }[],
): Promise<{ readonly commit: Commit; readonly fingerprint: string }[]> {
  const movedArtifacts: { commit: Commit; fingerprint: string }[] = [];
  const recordedArtifacts = new Map<string, RecordedArtifact>();
  for (const { commit, event } of snapshots) {
    const { changes, judged } = event.data;
    await mapInSlices(changes, ({ fingerprint, name, now, flows }) => {
      const place = `${commit.stream}\n${fingerprint}\n${name}`;
      if (now > 0) recordedArtifacts.set(place, { commit, fingerprint, known: flows.length });
      else recordedArtifacts.delete(place);
    });
    if (judged !== undefined && (await haveChanged(documents, judged.heads)))
      movedArtifacts.push(...changes.filter(({ now }) => now > 0).map(({ fingerprint }) => ({ commit, fingerprint })));
  }
  for (const [org, all] of groupBy(recordedArtifacts.values(), ({ commit }) => commit.org)) {
    const newCounts = await findNewProvenance(documents, org, await lowestProvenanceCounts(all));
    movedArtifacts.push(...all.filter(({ fingerprint, known }) => (newCounts.get(fingerprint) ?? 0) > known));
  }
  return movedArtifacts;
}

/** Whether one of the aggregate states is newer than before. */
async function haveChanged(documents: Documents, then: Readonly<Record<string, number>>): Promise<boolean> {
  for (const [kind, streams] of groupBy(Object.keys(then), kindOf)) {
    const aggregateStates = STATES.get(kind);
    if (aggregateStates === undefined) continue;
    for (let i = 0; i < streams.length; i += PAGE) {
      const now = await documents.collection(aggregateStates).getMany(streams.slice(i, i + PAGE));
      if (streams.slice(i, i + PAGE).some((stream) => (now.get(stream)?.seq ?? 0) > (then[stream] ?? 0))) return true;
    }
  }
  return false;
}
