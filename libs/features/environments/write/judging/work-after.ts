import type {
  EnvironmentRevived,
  EnvironmentUpdated,
  SnapshotRecorded,
} from '@assurance/contracts/environments/events';
import { keyOf } from '@assurance/contracts/events/streams';
import type { AttestationReported } from '@assurance/contracts/evidence/events';
import type { ArtifactReported, FlowEvent, TrailUpdated } from '@assurance/contracts/flows/events';
import type { JudgingEvent, PolicyExceptionsEnded, PolicyRevised } from '@assurance/contracts/policies/events';
import { eventsOf } from '@assurance/event-sourcing/sealing/read';
import type { Commit, Engines } from '@assurance/storage-ports';
import { type JudgingWork, mergeWork } from '../../judging/work';
import { movedSnapshots } from './new-provenance';
import { environmentsWithPolicy, fingerprintsOfTrail, runningFrom, runningIn } from './running-where';

type RelevantEvent =
  | ArtifactReported
  | AttestationReported
  | TrailUpdated
  | FlowEvent
  | PolicyRevised
  | PolicyExceptionsEnded
  | JudgingEvent
  | EnvironmentRevived
  | EnvironmentUpdated
  | SnapshotRecorded;

const RELEVANT_TYPES: ReadonlySet<string> = new Set<RelevantEvent['type']>([
  'ArtifactReported',
  'AttestationReported',
  'TrailUpdated',
  'FlowUpdated',
  'FlowRenamed',
  'FlowTagged',
  'PolicyRevised',
  'PolicyExceptionsEnded',
  'PolicyAttached',
  'PolicyDetached',
  'ArtifactAllowed',
  'AllowanceEnded',
  'EnvironmentRevived',
  'EnvironmentUpdated',
  'SnapshotRecorded',
]);

/**
 * Ids of the environments that commits make due: those that run an artifact with new provenance or evidence, those with changed
 * policies, and those whose snapshot was decided on older facts. Writer and reader each check what the other wrote before, so at least
 * one of them sees the change.
 */
export async function workAfter(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  batch: readonly Commit[],
): Promise<Map<string, JudgingWork>> {
  const work = new Map<string, JudgingWork>();
  const add = (environment: string, { org, correlation }: Commit, fingerprints: JudgingWork['fingerprints']) =>
    work.set(environment, mergeWork(work.get(environment) ?? null, { org, correlation, fingerprints }));
  const addRunning = async (commit: Commit, fingerprints: readonly string[]) => {
    for (const { environment, fingerprint } of await runningIn(documents, commit.org, fingerprints))
      add(environment, commit, [fingerprint]);
  };
  const recordedSnapshots: { commit: Commit; event: SnapshotRecorded }[] = [];
  for (const commit of batch) {
    const { stream } = commit;
    for (const event of (await eventsOf(events, commit, (type) => RELEVANT_TYPES.has(type))) as RelevantEvent[]) {
      switch (event.type) {
        case 'ArtifactReported':
          // Earlier reports in this flow and trail do not change. Another template affects everything in the trail.
          if (event.data.templateId !== undefined)
            await addRunning(commit, await fingerprintsOfTrail(documents, stream));
          else if (event.data.first === null) await addRunning(commit, [event.data.fingerprint]);
          break;
        case 'AttestationReported': {
          const { target, templateId } = event.data;
          const isArtifactAlone = target.kind === 'artifact' && templateId === undefined;
          await addRunning(
            commit,
            isArtifactAlone ? [target.fingerprint] : await fingerprintsOfTrail(documents, stream),
          );
          break;
        }
        case 'TrailUpdated':
          if (event.data.templateId !== undefined)
            await addRunning(commit, await fingerprintsOfTrail(documents, stream));
          break;
        case 'FlowUpdated':
        case 'FlowRenamed':
        case 'FlowTagged':
          // A trail keeps its template until its next event. For the legacy form the template of the flow counts.
          if (event.type === 'FlowUpdated' && event.data.templateId === undefined) break;
          for (const { environment, fingerprint } of await runningFrom(documents, keyOf(stream)))
            add(environment, commit, [fingerprint]);
          break;
        case 'PolicyRevised':
        case 'PolicyExceptionsEnded':
          for (const environment of await environmentsWithPolicy(documents, keyOf(stream)))
            add(environment, commit, null);
          break;
        case 'ArtifactAllowed':
        case 'AllowanceEnded':
          add(keyOf(stream), commit, [event.data.fingerprint]);
          break;
        case 'EnvironmentUpdated':
          if (event.data.requireProvenance !== undefined) add(keyOf(stream), commit, null);
          break;
        case 'PolicyAttached':
        case 'PolicyDetached':
        case 'EnvironmentRevived':
          add(keyOf(stream), commit, null);
          break;
        case 'SnapshotRecorded':
          recordedSnapshots.push({ commit, event });
          break;
        case 'AllowanceRevised':
        case 'AllowanceEnding':
        case 'FlowCreated':
        case 'FlowArchived':
        case 'FlowMoved':
        case 'FlowRevived':
          break;
      }
    }
  }
  for (const { commit, fingerprint } of await movedSnapshots(documents, recordedSnapshots))
    add(keyOf(commit.stream), commit, [fingerprint]);
  return work;
}
