import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { batches, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { Slices } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { type DeploymentId, deploymentId } from '../../domain/deployment';
import type { LiveDeployment, Revision } from '../../domain/draft';
import type { EarlierRuns, SnapshotFacts } from '../../domain/history';
import type { KindRevision } from '../../domain/kind-revision';
import { artifactSnapshot } from '../../domain/names';
import { noteChanges } from './finality';
import {
  departureId,
  keptHistories,
  type KeptHistory,
  lineOriginOf,
  raiseRevision,
  readEarlierRuns,
  readEnvironment,
  readRevision,
  replayRows,
} from './histories';
import type { Origin } from './origin';
import { beginsHistory, type DepartureRow, departures, type DeploymentRow, deployments, rowId, rowsOf } from './rows';

/** The rows of some snapshots of one environment, decided as far as this process knows what decides. */
export interface DecidedRows {
  readonly arrived: Map<string, DeploymentRow>;
  readonly departed: Map<string, DepartureRow>;
  /** Earlier rows whose results changed, by id. */
  readonly changed: ReadonlyMap<string, LiveDeployment>;
  /** Deployments whose kinds are not final, and whose groups changed. */
  readonly pending: ReadonlySet<LiveDeployment>;
  /** Kinds of earlier deployments that the snapshots changed, by id. */
  readonly revisions: ReadonlyMap<string, KindRevision>;
  /** Null where stored rows are as new as these: all are decided again after these are written. */
  readonly kept: KeptHistory | null;
}

/** The snapshots of one environment. */
interface DecidedEvents {
  readonly environment: string;
  readonly events: readonly RecordedEvent<SnapshotRecorded>[];
  /** The revision of the environment before. */
  readonly revision: number;
}

/** Decides the snapshots of one environment, in order. */
export async function decideSnapshots(
  documents: Documents,
  { environment, events, revision }: DecidedEvents,
  previousAt: (event: RecordedEvent<SnapshotRecorded>) => number | null,
  originOf: (fingerprint: string) => Origin | null,
): Promise<DecidedRows> {
  const arrived = new Map<string, DeploymentRow>();
  const departed = new Map<string, DepartureRow>();
  for (const recorded of events) {
    const rows = await rowsOf(recorded.event, recorded.meta, previousAt(recorded));
    for (const [id, row] of rows.deployments) arrived.set(id, row);
    for (const [id, row] of rows.departures) departed.set(id, row);
  }
  const kept = await openHistory(documents, environment, events[0]?.event.data.snapshot ?? 1, revision);
  if (kept === null) return { arrived, departed, changed: new Map(), pending: new Set(), revisions: new Map(), kept };
  const started = removeDuplicates([...arrived.values()].map(({ fingerprint }) => fingerprint));
  const returned = started.filter((fingerprint) => !kept.history.hasLive(fingerprint));
  const earlierRuns = await readEarlierRuns(documents, environment, kept.begin, returned);
  for (const fingerprint of started) kept.origins.set(fingerprint, lineOriginOf(originOf(fingerprint)));
  const facts = factsOf(kept, earlierRuns);
  const revisions = new Map<string, KindRevision>();
  const [touched, pending, left] = [new Set<LiveDeployment>(), new Set<LiveDeployment>(), new Set<LiveDeployment>()];
  const slices = new Slices();
  for (const { event, meta } of events) {
    await slices.pause();
    const { data } = event;
    const times = { at: data.observedAt ?? meta.at, isBaseline: beginsHistory(data) };
    const snapshot = artifactSnapshot(data, times, (fingerprint) => kept.history.namesOf(fingerprint));
    // The row has the start that an event of an earlier version does not have.
    const held = snapshot.started.map((artifact) => {
      const row = arrived.get(rowId(environment, data.snapshot, artifact.fingerprint));
      return { ...artifact, deployedAt: row?.deployedAt ?? artifact.deployedAt };
    });
    if (times.isBaseline) {
      kept.begin = data.snapshot;
      earlierRuns.clear();
    }
    const result = kept.history.apply({ ...snapshot, started: held }, facts);
    for (const deployment of result.departed)
      if (deployment.end !== null)
        earlierRuns.set(deployment.fingerprint, { first: deployment.first, lastEnd: deployment.end });
    for (const deployment of [...result.started, ...result.touched]) touched.add(deployment);
    for (const deployment of result.departed) left.add(deployment);
    for (const { deployment } of result.revised) touched.add(deployment);
    for (const [id, revision] of revisionsOf(environment, data.snapshot, result.revised, kept))
      revisions.set(id, revision);
    for (const deployment of result.pending) pending.add(deployment);
    kept.to = data.snapshot;
  }
  return {
    arrived,
    departed,
    kept,
    pending,
    revisions,
    changed: setResults(environment, touched, left, arrived, departed),
  };
}

/** The changes of kinds among revisions. A pair alone is none. */
function revisionsOf(
  environment: string,
  by: number,
  revised: readonly Revision[],
  { history }: KeptHistory,
): ReadonlyMap<string, KindRevision> {
  const replacedOf = (id: DeploymentId | null): KindRevision['was']['replaced'] => {
    const fingerprint = id?.slice(id.indexOf('/') + 1);
    return fingerprint === undefined ? null : { fingerprint, name: history.nameOf(fingerprint) };
  };
  const changed = revised.filter(({ deployment, before }) => deployment.kind !== before.kind);
  return new Map(
    changed.map(({ deployment, before }) => {
      const { id, start, fingerprint, looks, kind, replaced, isFinal } = deployment;
      const revision: KindRevision = {
        environment,
        by,
        snapshot: start.snapshot,
        fingerprint,
        name: looks[0]?.name ?? '',
        was: { kind: before.kind, replaced: replacedOf(before.replaced) },
        is: { kind, replaced: replacedOf(replaced) },
        final: isFinal,
      };
      return [`${environment}/${by}/${id}`, revision];
    }),
  );
}

function factsOf({ origins }: KeptHistory, earlierRuns: ReadonlyMap<string, EarlierRuns>): SnapshotFacts {
  return {
    originOf: (fingerprint) => origins.get(fingerprint) ?? null,
    earlierRunsOf: (fingerprint) => earlierRuns.get(fingerprint) ?? null,
  };
}

/** The history before a snapshot; null where rows of it or of later ones are stored. */
async function openHistory(
  documents: Documents,
  environment: string,
  snapshot: number,
  revision: number,
): Promise<KeptHistory | null> {
  const memory = keptHistories(documents.collection(deployments));
  const kept = memory.get(environment);
  memory.delete(environment);
  if (kept !== undefined && kept.to === snapshot - 1 && kept.revision === revision) return kept;
  const rows = await readEnvironment(documents, environment);
  const isRepeated = [...rows.deployments, ...rows.departures].some(({ doc }) => doc.snapshot >= snapshot);
  return isRepeated ? null : (await replayRows(rows, snapshot - 1, revision)).kept;
}

/** Sets the results of rows that are written now, and returns those of earlier rows. */
function setResults(
  environment: string,
  touched: Iterable<LiveDeployment>,
  left: Iterable<LiveDeployment>,
  arrived: Map<string, DeploymentRow>,
  departed: Map<string, DepartureRow>,
): Map<string, LiveDeployment> {
  const changed = new Map<string, LiveDeployment>();
  for (const deployment of left) {
    const id = departureId(environment, deployment) ?? '';
    const departure = departed.get(id);
    if (departure !== undefined) departed.set(id, withCompletion(departure, environment, deployment));
  }
  for (const deployment of touched) {
    const [id, left] = [`${environment}/${deployment.id}`, departureId(environment, deployment)];
    const [start, departure] = [arrived.get(id), departed.get(left ?? '')];
    if (start !== undefined) arrived.set(id, withResult(start, deployment));
    if (left !== null && departure !== undefined)
      departed.set(left, withCompletion(departure, environment, deployment));
    if (start === undefined || (left !== null && departure === undefined)) changed.set(id, deployment);
  }
  return changed;
}

/** A deployment's row with its result. */
function withResult(row: DeploymentRow, { kind, isFinal, appearances }: LiveDeployment): DeploymentRow {
  const { final: _, names: __, moves: ___, ...rest } = row;
  const [first, ...others] = appearances;
  const hasNames = first !== undefined && (first.names.length > 1 || first.names.some(([, own]) => own.length > 0));
  return {
    ...rest,
    kind,
    ...(isFinal ? { final: true } : {}),
    ...(hasNames ? { names: first.names } : {}),
    ...(others.length > 0 ? { moves: others.map(({ from, names }) => ({ ...from, names })) } : {}),
  };
}

function withCompletion(row: DepartureRow, environment: string, { completed }: LiveDeployment): DepartureRow {
  const { completes: _, ...rest } = row;
  return completed === null ? rest : { ...rest, completes: `${environment}/${completed}` };
}

/**
 * Writes the results of earlier rows.
 *
 * @returns the deployments with another kind
 */
export async function writeResults(
  documents: Documents,
  environment: string,
  changed: ReadonlyMap<string, LiveDeployment>,
): Promise<DeploymentRow[]> {
  const revised = new Map<string, DeploymentRow>();
  const byDeparture = new Map([...changed.values()].map((one) => [departureId(environment, one) ?? '', one]));
  byDeparture.delete('');
  for (const ids of batches([...changed.keys()])) {
    await documents.collection<DeploymentRow>(deployments).merge(ids, (row, id) => {
      const deployment = changed.get(id);
      if (row === null || deployment === undefined) return undefined;
      const next = withResult(row, deployment);
      if (next.kind !== row.kind) revised.set(id, next);
      return isSame(next, row) ? undefined : next;
    });
  }
  for (const ids of batches([...byDeparture.keys()])) {
    await documents.collection<DepartureRow>(departures).merge(ids, (row, id) => {
      const deployment = byDeparture.get(id);
      if (row === null || deployment === undefined) return undefined;
      const next = withCompletion(row, environment, deployment);
      return next.completes === row.completes ? undefined : next;
    });
  }
  return [...revised.values()];
}

function isSame(a: DeploymentRow, b: DeploymentRow): boolean {
  if (a.kind !== b.kind || a.final !== b.final || a.moves?.length !== b.moves?.length) return false;
  return (a.names === undefined) === (b.names === undefined);
}

/**
 * Decides all rows of an environment again until nothing changes: others may write rows of it at the same time. The last one has then read the rows of
 * all.
 *
 * @returns the deployments with another kind
 */
export async function decideAgain(documents: Documents, environment: string): Promise<DeploymentRow[]> {
  keptHistories(documents.collection(deployments)).delete(environment);
  const revised: DeploymentRow[] = [];
  for (let revision = await raiseRevision(documents, environment); ;) {
    const rows = await readEnvironment(documents, environment);
    const { all } = await replayRows(rows, 0, revision);
    const completed = new Map(rows.departures.map(({ id, doc }) => [id, doc.completes]));
    const changed = new Map<string, LiveDeployment>();
    for (const { id, doc } of rows.deployments) {
      const deployment = all.get(deploymentId(doc.snapshot, doc.fingerprint));
      if (deployment === undefined) continue;
      const left = departureId(environment, deployment);
      const completes = deployment.completed === null ? undefined : `${environment}/${deployment.completed}`;
      const isPaired = left === null || completed.get(left) === completes;
      if (!isPaired || !isSame(withResult(doc, deployment), doc)) changed.set(id, deployment);
    }
    await noteChanges(
      documents,
      environment,
      [...all.values()].filter(({ isFinal }) => !isFinal),
    );
    if (changed.size > 0) revised.push(...(await writeResults(documents, environment, changed)));
    const current = await readRevision(documents, environment);
    if (changed.size === 0 && current === revision) return revised;
    revision = current;
  }
}
