import { allowed, allowedId, ran, type RanDocument, running } from '@assurance/contracts/environments/documents';
import type { AppliedPolicy, EnvironmentEvent, EnvironmentType } from '@assurance/contracts/environments/events';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Allowance, Verdict } from '@assurance/contracts/policies/events';
import { allowanceOf } from '@assurance/environments/domain/allow-list';
import { unpackVerdict } from '@assurance/environments/domain/packed-verdicts';
import { keyText } from '@assurance/environments/domain/runs';
import { eventsOf, observedIn } from '@assurance/event-sourcing/sealing/read';
import { grouped } from '@assurance/kernel';
import { type Engines, type EventStore, getAll } from '@assurance/storage-ports';
import type { Records } from './chain';

/** The most periods of running that a package tells of: the newest of each artifact. */
const RUNS_OF_ARTIFACT_MAX = 100;
const RUNS_MAX = 1_000;

/** A snapshot in which something began or ended. */
export interface Moment {
  readonly snapshot: number;
  /** Integer milliseconds. */
  readonly at: number;
  /** When the snapshot was observed, integer milliseconds. */
  readonly observedAt: number;
  readonly actor: string;
  /** Of the environment's stream. */
  readonly seq: number;
}

/** A period in which an artifact ran in an environment. */
export interface Run {
  readonly environment: { readonly id: string; readonly name: string; readonly type: EnvironmentType };
  readonly fingerprint: string;
  /** As the environment calls it. */
  readonly artifact: string;
  readonly instances: number;
  readonly since: Moment;
  /** Null while it runs. */
  readonly until: Moment | null;
  /** Its last status there; null if nothing judged it. */
  readonly compliant: boolean | null;
  /** In the snapshot in which it started. */
  readonly verdict: Verdict | null;
  /** By which it was allowed there last; null if it was not, as far as is known. */
  readonly allowance: RunAllowance | null;
  readonly policies: readonly AppliedPolicy[];
}

/** An entry of an allow-list, and the commit that recorded it; null where only a verdict says it. */
export type RunAllowance = Allowance & { readonly seq: number | null };

/** The data of a snapshot about artifacts that started or exited in it. */
interface Told extends Moment {
  readonly environment: string;
  readonly type: EnvironmentType;
  readonly policies: readonly AppliedPolicy[];
  readonly compliant: ReadonlyMap<string, boolean | null>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/**
 * Where artifacts of a flow ran, as the snapshots say that began and ended it, oldest first.
 *
 * @param fingerprints each once
 */
export async function runsOf(
  engines: Records,
  org: string,
  flow: string,
  fingerprints: readonly string[],
): Promise<{ readonly runs: readonly Run[]; /** There are more, older ones. */ readonly cut: boolean }> {
  const found: RanDocument[] = [];
  let cut = false;
  for (const fingerprint of fingerprints) {
    const limit = Math.min(RUNS_OF_ARTIFACT_MAX, RUNS_MAX - found.length);
    if (limit < 1) return { runs: await told(engines, org, found), cut: true };
    const some = await engines.documents.collection(ran).find({
      where: { flow, fingerprint },
      order: orderBy('-since'),
      limit: limit + 1,
    });
    cut ||= some.length > limit;
    found.push(...some.slice(0, limit).map(({ doc }) => doc));
  }
  return { runs: await told(engines, org, found), cut };
}

async function told({ events, documents }: Records, org: string, found: readonly RanDocument[]) {
  const moments = new Map<string, Told | null>();
  const wanted = found.flatMap((doc) =>
    [doc.since, doc.until].flatMap((snapshot) => (snapshot === null ? [] : [{ doc, snapshot }])),
  );
  for (const [key, some] of grouped(wanted, ({ doc, snapshot }) => momentKey(doc.environment, snapshot))) {
    const [first] = some;
    const keys = new Set(some.map(({ doc }) => keyText(doc)));
    moments.set(key, await momentOf(events, streams.environment(first.doc.environment), first.snapshot, keys));
  }
  const now = await runningNow(documents, org, found);
  const allowances = await allowancesNow(documents, found);
  const runs = new Map<string, Run>();
  for (const doc of found) {
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
    .sort(([a, one], [b, other]) => one.since.at - other.since.at || (a < b ? -1 : 1))
    .map(([, run]) => run);
}

async function momentOf(
  events: EventStore,
  stream: string,
  snapshot: number,
  keys: ReadonlySet<string>,
): Promise<Told | null> {
  const commit = await events.bySnapshot(stream, snapshot);
  if (commit === null) return null;
  const types: ReadonlySet<string> = new Set<EnvironmentEvent['type']>(['SnapshotRecorded', 'VerdictsKept']);
  const recordedEvents = (await eventsOf(events, commit, (type) => types.has(type))) as EnvironmentEvent[];
  const recorded = recordedEvents.find(({ type }) => type === 'SnapshotRecorded');
  if (recorded?.type !== 'SnapshotRecorded') return null;
  const document = recordedEvents.flatMap((event) =>
    event.type === 'VerdictsKept'
      ? event.data.artifacts.map(({ verdict, ...key }) => ({ ...key, verdict: unpackVerdict(event.data, verdict) }))
      : [],
  );
  const { environment, type, changes, judged } = recorded.data;
  const own = <T extends { readonly fingerprint: string; readonly name: string }>(all: readonly T[]) =>
    all.filter((one) => keys.has(keyText(one)));
  return {
    ...{
      snapshot,
      at: commit.at,
      observedAt: observedIn(commit),
      actor: commit.actor,
      seq: commit.seq,
      environment,
      type,
    },
    policies: judged?.policies ?? [],
    compliant: new Map(own(changes).map((change) => [keyText(change), change.compliant])),
    verdicts: new Map(own(document).map((one) => [keyText(one), one.verdict])),
  };
}

/** The last status of artifacts that still run, by environment and artifact. */
async function runningNow(documents: Engines['documents'], org: string, found: readonly RanDocument[]) {
  const now = new Map<string, boolean | null>();
  const fingerprints = new Set(found.filter(({ until }) => until === null).map(({ fingerprint }) => fingerprint));
  for (const fingerprint of fingerprints) {
    const runs = await documents.collection(running).find({ where: { org, fingerprint }, limit: RUNS_MAX });
    for (const { doc } of runs) now.set(`${doc.environment}\n${keyText(doc)}`, doc.judged?.compliant ?? null);
  }
  return now;
}

/** The entries of allow-lists, by their ids. */
async function allowancesNow(documents: Engines['documents'], found: readonly RanDocument[]) {
  const ids = new Set(found.map(({ environment, fingerprint }) => allowedId(environment, fingerprint)));
  const entries = await getAll(documents.collection(allowed), [...ids]);
  return new Map([...entries].map(([id, { seq, ...entry }]) => [id, { ...allowanceOf(entry), seq: seq ?? null }]));
}

/** The entry that is there now, if it was there before the run ended; else the one by which the run was judged when it began. */
function allowanceIn(
  entry: RunAllowance | undefined,
  verdict: Verdict | null,
  until: Moment | null,
): RunAllowance | null {
  if (entry !== undefined && (until === null || entry.at <= until.at)) return entry;
  return verdict?.allowance === undefined ? null : { ...verdict.allowance, seq: null };
}

function momentKey(environment: string, snapshot: number): string {
  return `${environment}/${snapshot}`;
}
