import { environmentStates, startDocuments, running } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { observedAtOfCommit } from '@assurance/event-sourcing/sealing/read';
import { getOrInsert } from '@assurance/kernel';
import type { Engines } from '@assurance/storage-ports';
import { worstVerdict } from '../../domain/worst-verdict';

/** The most places of each kind in an answer. */
const PLACES_MAX = 100;

/** A place where an artifact runs, or ran. */
export interface RunLocation {
  /** The current name of the environment. */
  readonly environment: string;
  readonly snapshot: number;
}

/** An entry of an artifact's history. */
export interface HistoryEntry {
  readonly event: string;
  /** Integer milliseconds. */
  readonly at: number;
}

/** A place where an artifact runs. */
export interface RunningLocation extends RunLocation {
  /** Epoch seconds. */
  readonly startedAt: number;
  /** The worst verdict under all names; null if nothing judges it there. */
  readonly compliant: boolean | null;
}

/** The places where an artifact runs and ran, and when it started and stopped there. */
export interface ArtifactRuns {
  /** With the snapshot in which it started. */
  readonly running: readonly RunningLocation[];
  /** Places where it no longer runs, with the first snapshot without it. */
  readonly exited: readonly RunLocation[];
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
}

/**
 * Returns where an artifact of a flow runs and ran.
 *
 * @param flow null for an artifact without a flow: only the places where it runs now are known
 */
export async function runsOf(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  org: string,
  flow: string | null,
  fingerprint: string,
): Promise<ArtifactRuns> {
  const now = await documents.collection(running).find({ where: { org, fingerprint }, limit: PLACES_MAX });
  const before =
    flow === null
      ? []
      : await documents.collection(startDocuments).find({
          where: { flow, fingerprint },
          order: orderBy('-since'),
          limit: PLACES_MAX,
        });
  const ids = [...new Set([...now, ...before].map(({ doc }) => doc.environment))];
  const states = await documents.collection(environmentStates).getMany(ids.map(streams.environment));
  const placeOf = (id: string, snapshot: number): RunLocation => {
    return { environment: states.get(streams.environment(id))?.name ?? id, snapshot };
  };

  const runs = new Map<string, number>();
  const startTimes = new Map<string, number>();
  const verdicts = new Map<string, (boolean | null)[]>();
  for (const { doc } of now) {
    const { environment, since, judged } = doc;
    getOrInsert(verdicts, environment, () => []).push(judged?.compliant ?? null);
    runs.set(environment, Math.min(runs.get(environment) ?? since.snapshot, since.snapshot));
    startTimes.set(environment, Math.min(startTimes.get(environment) ?? since.deployedAt, since.deployedAt));
  }
  const ends = new Map<string, number>();
  const starts = new Set([...runs].map(([id, snapshot]) => `${snapshot}/${id}`));
  const stops = new Set<string>();
  for (const { doc } of before) {
    starts.add(`${doc.since}/${doc.environment}`);
    if (doc.until === null) continue;
    stops.add(`${doc.until}/${doc.environment}`);
    if (!runs.has(doc.environment)) ends.set(doc.environment, Math.max(ends.get(doc.environment) ?? 0, doc.until));
  }
  const history: HistoryEntry[] = [];
  const tell = async (what: string, moments: ReadonlySet<string>) => {
    for (const moment of moments) {
      const slash = moment.indexOf('/');
      const { environment, snapshot } = placeOf(moment.slice(slash + 1), Number(moment.slice(0, slash)));
      const commit = await events.bySnapshot(streams.environment(moment.slice(slash + 1)), snapshot);
      if (commit !== null)
        history.push({ event: `${what} running in ${environment}#${snapshot}`, at: observedAtOfCommit(commit) });
    }
  };
  await tell('Started', starts);
  await tell('Stopped', stops);
  return {
    running: [...runs].map(([id, snapshot]) => ({
      ...placeOf(id, snapshot),
      startedAt: startTimes.get(id) ?? 0,
      compliant: worstVerdict(verdicts.get(id) ?? []),
    })),
    exited: [...ends].map(([id, snapshot]) => placeOf(id, snapshot)),
    history: history.sort((a, b) => a.at - b.at),
  };
}
