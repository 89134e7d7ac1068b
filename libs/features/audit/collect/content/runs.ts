import {
  allowed,
  allowedId,
  startDocuments,
  type StartDocument,
  running,
} from '@assurance/contracts/environments/documents';
import type { AppliedPolicy, EnvironmentEvent, EnvironmentType } from '@assurance/contracts/environments/events';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Allowance, Verdict } from '@assurance/contracts/policies/events';
import { allowanceOf } from '@assurance/environments/domain/allow-list';
import { decodeVerdict } from '@assurance/environments/domain/verdict-encoding';
import { keyText } from '@assurance/environments/domain/runs';
import { eventsOf, observedAtOfCommit } from '@assurance/event-sourcing/sealing/read';
import { groupBy } from '@assurance/kernel';
import { type Engines, type EventStore, getAll } from '@assurance/storage-ports';
import type { Records } from './chain';

/** The most runs in a package: of one artifact, and of all artifacts. Older runs of each artifact are left out. */
const RUNS_OF_ARTIFACT_MAX = 100;
const RUNS_MAX = 1_000;

/** A snapshot in which a run began or ended. */
export interface SnapshotMoment {
  readonly snapshot: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** When the snapshot was observed, integer milliseconds. */
  readonly observedAt: number;
  readonly actor: string;
  /** Seq in the environment's stream. */
  readonly seq: number;
}

/** A period in which an artifact ran in an environment. */
export interface Run {
  readonly environment: { readonly id: string; readonly name: string; readonly type: EnvironmentType };
  readonly fingerprint: string;
  /** Name of the artifact in the environment. */
  readonly artifact: string;
  readonly instances: number;
  readonly since: SnapshotMoment;
  /** Null while it runs. */
  readonly until: SnapshotMoment | null;
  /** Its last status in the environment; null if nothing judged it. */
  readonly compliant: boolean | null;
  /** Its verdict in the snapshot in which it started. */
  readonly verdict: Verdict | null;
  /** The last entry that allowed it in the environment; null if no such entry is known. */
  readonly allowance: RunAllowance | null;
  readonly policies: readonly AppliedPolicy[];
}

/** An entry of an allow-list, and the seq of the commit that recorded it; null if only a verdict mentions the entry. */
export type RunAllowance = Allowance & { readonly seq: number | null };

/** The data of a snapshot about artifacts that started or exited in it. */
interface SnapshotContext extends SnapshotMoment {
  readonly environment: string;
  readonly type: EnvironmentType;
  readonly policies: readonly AppliedPolicy[];
  readonly compliant: ReadonlyMap<string, boolean | null>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/**
 * The runs of artifacts of a flow, oldest first, according to the snapshots in which they began and ended.
 *
 * @param fingerprints distinct fingerprints
 */
export async function runsOf(
  engines: Records,
  org: string,
  flow: string,
  fingerprints: readonly string[],
): Promise<{ readonly runs: readonly Run[]; /** True if older runs are left out. */ readonly cut: boolean }> {
  const starts: StartDocument[] = [];
  let cut = false;
  for (const fingerprint of fingerprints) {
    const limit = Math.min(RUNS_OF_ARTIFACT_MAX, RUNS_MAX - starts.length);
    if (limit < 1) return { runs: await snapshotContextReader(engines, org, starts), cut: true };
    const startPage = await engines.documents.collection(startDocuments).find({
      where: { flow, fingerprint },
      order: orderBy('-since'),
      limit: limit + 1,
    });
    cut ||= startPage.length > limit;
    starts.push(...startPage.slice(0, limit).map(({ doc }) => doc));
  }
  return { runs: await snapshotContextReader(engines, org, starts), cut };
}

async function snapshotContextReader({ events, documents }: Records, org: string, starts: readonly StartDocument[]) {
  const moments = new Map<string, SnapshotContext | null>();
  const selectedStarts = starts.flatMap((doc) =>
    [doc.since, doc.until].flatMap((snapshot) => (snapshot === null ? [] : [{ doc, snapshot }])),
  );
  for (const [key, some] of groupBy(selectedStarts, ({ doc, snapshot }) => momentKey(doc.environment, snapshot))) {
    const [first] = some;
    const keys = new Set(some.map(({ doc }) => keyText(doc)));
    moments.set(key, await momentOf(events, streams.environment(first.doc.environment), first.snapshot, keys));
  }
  const now = await currentStatuses(documents, org, starts);
  const allowances = await currentAllowances(documents, starts);
  const runs = new Map<string, Run>();
  for (const doc of starts) {
    const since = moments.get(momentKey(doc.environment, doc.since)) ?? null;
    const until = doc.until === null ? null : (moments.get(momentKey(doc.environment, doc.until)) ?? null);
    if (since === null) continue;
    const key = keyText(doc);
    const verdict = since.verdicts.get(key) ?? null;
    const last = until === null ? now.get(`${doc.environment}\n${key}`) : until.compliant.get(key);
    runs.set(`${momentKey(doc.environment, doc.since)}/${key}`, {
      environment: { id: doc.environment, name: since.environment, type: since.type },
      fingerprint: doc.fingerprint,
      artifact: doc.name,
      instances: doc.instances,
      since,
      until,
      compliant: last ?? verdict?.compliant ?? since.compliant.get(key) ?? null,
      verdict,
      allowance: allowanceIn(allowances.get(allowedId(doc.environment, doc.fingerprint)), verdict, until),
      policies: since.policies,
    });
  }
  return [...runs]
    .sort(([a, first], [b, second]) => first.since.at - second.since.at || (a < b ? -1 : 1))
    .map(([, run]) => run);
}

async function momentOf(
  events: EventStore,
  stream: string,
  snapshot: number,
  keys: ReadonlySet<string>,
): Promise<SnapshotContext | null> {
  const commit = await events.bySnapshot(stream, snapshot);
  if (commit === null) return null;
  const types: ReadonlySet<string> = new Set<EnvironmentEvent['type']>(['SnapshotRecorded', 'VerdictsKept']);
  const recordedEvents = (await eventsOf(events, commit, (type) => types.has(type))) as EnvironmentEvent[];
  const snapshotRecorded = recordedEvents.find(({ type }) => type === 'SnapshotRecorded');
  if (snapshotRecorded?.type !== 'SnapshotRecorded') return null;
  const document = recordedEvents.flatMap((event) =>
    event.type === 'VerdictsKept'
      ? event.data.artifacts.map(({ verdict, ...key }) => ({ ...key, verdict: decodeVerdict(event.data, verdict) }))
      : [],
  );
  const { environment, type, changes, judged } = snapshotRecorded.data;
  const keepOwn = <T extends { readonly fingerprint: string; readonly name: string }>(all: readonly T[]) =>
    all.filter((artifact) => keys.has(keyText(artifact)));
  return {
    snapshot,
    at: commit.at,
    observedAt: observedAtOfCommit(commit),
    actor: commit.actor,
    seq: commit.seq,
    environment,
    type,
    policies: judged?.policies ?? [],
    compliant: new Map(keepOwn(changes).map((change) => [keyText(change), change.compliant])),
    verdicts: new Map(keepOwn(document).map((artifact) => [keyText(artifact), artifact.verdict])),
  };
}

/** The last status of artifacts that still run, by environment and artifact. */
async function currentStatuses(documents: Engines['documents'], org: string, starts: readonly StartDocument[]) {
  const now = new Map<string, boolean | null>();
  const fingerprints = new Set(starts.filter(({ until }) => until === null).map(({ fingerprint }) => fingerprint));
  for (const fingerprint of fingerprints) {
    const runs = await documents.collection(running).find({ where: { org, fingerprint }, limit: RUNS_MAX });
    for (const { doc } of runs) now.set(`${doc.environment}\n${keyText(doc)}`, doc.judged?.compliant ?? null);
  }
  return now;
}

/** The entries of allow-lists, by their ids. */
async function currentAllowances(documents: Engines['documents'], starts: readonly StartDocument[]) {
  const ids = new Set(starts.map(({ environment, fingerprint }) => allowedId(environment, fingerprint)));
  const entries = await getAll(documents.collection(allowed), [...ids]);
  return new Map([...entries].map(([id, { seq, ...entry }]) => [id, { ...allowanceOf(entry), seq: seq ?? null }]));
}

/** The current entry, if it was created before the run ended; otherwise the entry in the verdict at the start of the run. */
function allowanceIn(
  entry: RunAllowance | undefined,
  verdict: Verdict | null,
  until: SnapshotMoment | null,
): RunAllowance | null {
  if (entry !== undefined && (until === null || entry.at <= until.at)) return entry;
  return verdict?.allowance === undefined ? null : { ...verdict.allowance, seq: null };
}

function momentKey(environment: string, snapshot: number): string {
  return `${environment}/${snapshot}`;
}
