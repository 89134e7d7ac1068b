import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { keyOf } from '@assurance/contracts/events/streams';
import { batches, putRows } from '@assurance/event-sourcing/projection/batches';
import { revise, type ListChange } from '@assurance/event-sourcing/projection/days/revisions';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { groupBy } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { countedDeployments, deploymentList } from '../deployments/rows';
import { failing, type FailingRow, recoveries, type RecoveryRow } from './rows';

/**
 * Records when environments stop being compliant and when they are compliant again. The same event and state always give the same result. The state
 * is written after the results, and only if it changed. An event that does not change the state can be taken again without effect.
 */
export async function followRecoveries(
  documents: Documents,
  recordedEvents: readonly RecordedEvent<SnapshotRecorded>[],
): Promise<void> {
  const streams = groupBy(recordedEvents, ({ meta }) => keyOf(meta.stream));
  for (const ids of batches([...streams.keys()])) {
    const states = await documents.collection(failing).getMany(ids);
    const after = new Map<string, FailingRow>();
    const results = new Map<string, RecoveryRow>();
    for (const id of ids) {
      const before = states.get(id) ?? { seq: 0, since: null };
      let state = before;
      for (const event of streams.get(id) ?? []) {
        if (event.meta.seq <= state.seq) continue;
        const recoveryRow = recoveryIn(state, event);
        if (recoveryRow !== null) results.set(`${id}/${event.meta.seq}`, recoveryRow);
        const since = sinceAfter(state, event);
        if (since !== state.since) state = { seq: event.meta.seq, since };
      }
      if (state !== before) after.set(id, state);
    }
    await write(documents, results);
    await documents.collection(failing).merge([...after.keys()], (current, id) => {
      const state = after.get(id);
      return state === undefined || (current?.seq ?? 0) >= state.seq ? undefined : state;
    });
  }
}

function recoveryIn({ since }: FailingRow, { event, meta }: RecordedEvent<SnapshotRecorded>): RecoveryRow | null {
  if (since === null || event.data.judged?.compliant !== true) return null;
  return { org: meta.org, environment: keyOf(meta.stream), failedAt: since, recoveredAt: secondsOf({ event, meta }) };
}

function sinceAfter({ since }: FailingRow, recorded: RecordedEvent<SnapshotRecorded>): number | null {
  return recorded.event.data.judged?.compliant === false ? (since ?? secondsOf(recorded)) : null;
}

/** Returns when a snapshot was observed, in epoch seconds. */
function secondsOf({ event, meta }: RecordedEvent<SnapshotRecorded>): number {
  return (event.data.observedAt ?? meta.at) / 1_000;
}

async function write(documents: Documents, results: ReadonlyMap<string, RecoveryRow>): Promise<void> {
  await putRows(documents.collection(recoveries), results);
  const touched = [...results.values()].flatMap(({ org, environment, recoveredAt }): ListChange[] => [
    [deploymentList(org, null, null).key, recoveredAt],
    [deploymentList(org, null, environment).key, recoveredAt],
  ]);
  await revise(documents, countedDeployments, touched);
}
