import { kindOf, type SnapshotRecorded } from '@assurance/contracts-events';
import { flow, policy, trail } from '@assurance/model';
import { grouped, inSlices, mapSteps } from '@assurance/kernel';
import type { CollectionDefinition, Commit, Documents } from '@assurance/storage-ports';
import { leastKnown, movedOf } from './moved';

/** How many aggregate states a read brings at once. */
const PAGE = 1_000;
const STATES: ReadonlyMap<string, CollectionDefinition<{ readonly seq: number }>> = new Map(
  [flow, trail, policy].map(({ kind, states: aggregateStates }) => [
    kind,
    aggregateStates as CollectionDefinition<{ readonly seq: number }>,
  ]),
);

/** The recorded data of a running artifact. */
interface Recorded {
  readonly commit: Commit;
  readonly fingerprint: string;
  readonly known: number;
}

/** The artifacts of some snapshots of which more is known now than their snapshot was decided by: it was written before anybody looked for it. */
export async function movedSnapshots(
  documents: Documents,
  snapshots: readonly { readonly commit: Commit; readonly event: SnapshotRecorded }[],
): Promise<{ readonly commit: Commit; readonly fingerprint: string }[]> {
  const moved: { commit: Commit; fingerprint: string }[] = [];
  const recorded = new Map<string, Recorded>();
  for (const { commit, event } of snapshots) {
    const { changes, judged } = event.data;
    const note = mapSteps(changes, ({ fingerprint, name, now, flows }) => {
      const place = `${commit.stream}\n${fingerprint}\n${name}`;
      if (now > 0) recorded.set(place, { commit, fingerprint, known: flows.length });
      else recorded.delete(place);
    });
    await inSlices(note);
    if (judged !== undefined && (await haveMoved(documents, judged.heads)))
      moved.push(...changes.filter(({ now }) => now > 0).map(({ fingerprint }) => ({ commit, fingerprint })));
  }
  for (const [org, all] of grouped(recorded.values(), ({ commit }) => commit.org)) {
    const more = await movedOf(documents, org, await inSlices(leastKnown(all)));
    moved.push(...all.filter(({ fingerprint, known }) => (more.get(fingerprint) ?? 0) > known));
  }
  return moved;
}

/** Whether one of the aggregate states is newer than before. */
async function haveMoved(documents: Documents, then: Readonly<Record<string, number>>): Promise<boolean> {
  for (const [kind, streams] of grouped(Object.keys(then), kindOf)) {
    const aggregateStates = STATES.get(kind);
    if (aggregateStates === undefined) continue;
    for (let i = 0; i < streams.length; i += PAGE) {
      const now = await documents.collection(aggregateStates).getMany(streams.slice(i, i + PAGE));
      if (streams.slice(i, i + PAGE).some((stream) => (now.get(stream)?.seq ?? 0) > (then[stream] ?? 0))) return true;
    }
  }
  return false;
}
