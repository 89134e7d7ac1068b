import { environmentStates, startDocuments } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { TrailEventAnswer } from '@assurance/contracts/flows/answers/trail';
import { observedAtOfCommit } from '@assurance/event-sourcing/sealing/read';
import type { Engines } from '@assurance/storage-ports';
import type { Trail } from '../../domain/trail';

/** The most runs in an answer. It contains the newest ones. */
const RUNS_MAX = 100;

/**
 * Returns when artifacts of a trail started and stopped running, unsorted.
 *
 * @param artifacts fingerprints, at most 1,000
 */
export async function runningEvents(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  { org, flow, name }: Trail,
  artifacts: readonly string[],
): Promise<TrailEventAnswer[]> {
  if (artifacts.length === 0) return [];
  const runs = await documents.collection(startDocuments).find({
    where: { flow: flow.id, fingerprint: { in: artifacts } },
    order: orderBy('-since'),
    limit: RUNS_MAX,
  });
  const ids = [...new Set(runs.map(({ doc }) => doc.environment))];
  const states = await documents.collection(environmentStates).getMany(ids.map(streams.environment));
  const answers: TrailEventAnswer[] = [];
  for (const { doc } of runs) {
    const stream = streams.environment(doc.environment);
    const tell = async (type: TrailEventAnswer['type'], snapshot: number, fields: Partial<TrailEventAnswer>) => {
      const commit = await events.bySnapshot(stream, snapshot);
      if (commit === null) return;
      answers.push({
        type,
        timestamp: observedAtOfCommit(commit) / 1000,
        org_id: org,
        flow_id: flow.id,
        trail_id: `${flow.id}/${name}`,
        git_commit_info: null,
        repo_info: null,
        artifact_name: doc.name,
        artifact_fingerprint: doc.fingerprint,
        template_reference_name: doc.template,
        environment_id: doc.environment,
        environment_name: states.get(stream)?.name ?? doc.environment,
        snapshot_index: snapshot,
        ...fields,
      });
    };
    await tell('artifact_started_running', doc.since, { replica_number: doc.instances });
    if (doc.until !== null) await tell('artifact_stopped_running', doc.until, {});
  }
  return answers;
}
