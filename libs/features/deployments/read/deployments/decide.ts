import type { SnapshotRecorded } from '@assurance/contracts/environments/events';
import { BATCH, batches, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent } from '@assurance/event-sourcing/projection/view';
import { Slices, waitForAll } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import type { DeploymentId } from '../../domain/deployment';
import type { LiveDeployment, Revision } from '../../domain/draft';
import type { SnapshotFacts } from '../../domain/history';
import type { KindRevision } from '../../domain/kind-revision';
import { artifactSnapshot, type StartedArtifact } from '../../domain/names';
import { noteChanges } from './finality';
import {
  applyInSlices,
  departureId,
  keptHistories,
  type KeptHistory,
  lineOriginOf,
  newHistory,
  raiseRevision,
  readEarlierRuns,
  readRevision,
  replay,
  type ReplayedSnapshot,
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
  readonly org: string;
  readonly environment: string;
  readonly events: readonly RecordedEvent<SnapshotRecorded>[];
  /** The revision of the environment before. */
  readonly revision: number;
}

/** Decides the snapshots of one environment, in order. */
export async function decideSnapshots(
  documents: Documents,
  { org, environment, events, revision }: DecidedEvents,
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
  const kept = await openHistory(documents, { org, environment, revision }, events[0]?.event.data.snapshot ?? 1);
  if (kept === null) return { arrived, departed, changed: new Map(), pending: new Set(), revisions: new Map(), kept };
  const started = removeDuplicates([...arrived.values()].map(({ fingerprint }) => fingerprint));
  const returned = started.filter((fingerprint) => !kept.history.hasLive(fingerprint));
  const place = { org, environment, range: { gte: kept.begin, lte: kept.to } };
  const earlierRuns = await readEarlierRuns(documents, place, returned);
  const facts: SnapshotFacts = {
    originOf: (fingerprint) => lineOriginOf(originOf(fingerprint)),
    earlierRunsOf: (fingerprint) => earlierRuns.get(fingerprint) ?? null,
  };
  const revisions = new Map<string, KindRevision>();
  const [touched, pending, left] = [new Set<LiveDeployment>(), new Set<LiveDeployment>(), new Set<LiveDeployment>()];
  for (const { event, meta } of events) {
    const { data } = event;
    const times = { at: data.observedAt ?? meta.at, isBaseline: beginsHistory(data) };
    const snapshot = artifactSnapshot(data, times);
    // The row has the start that an event of an earlier version does not have.
    const withStart = (artifact: StartedArtifact): StartedArtifact => {
      const row = arrived.get(rowId(environment, data.snapshot, artifact.fingerprint));
      return { ...artifact, deployedAt: row?.deployedAt ?? artifact.deployedAt };
    };
    if (times.isBaseline) {
      kept.begin = data.snapshot;
      earlierRuns.clear();
    }
    const dated = { ...snapshot, started: snapshot.started.map((artifact) => () => withStart(artifact())) };
    const result = await applyInSlices(kept.history, dated, facts);
    for (const deployment of result.departed) {
      left.add(deployment);
      if (deployment.end !== null)
        earlierRuns.set(deployment.fingerprint, { first: deployment.first, lastEnd: deployment.end });
    }
    for (const deployment of [...result.started, ...result.touched]) touched.add(deployment);
    for (const { deployment } of result.revised) touched.add(deployment);
    for (const [id, revision] of revisionsOf(environment, data.snapshot, result.revised, kept))
      revisions.set(id, revision);
    for (const deployment of result.pending) pending.add(deployment);
    kept.to = data.snapshot;
  }
  const changed = await setResults(environment, touched, left, arrived, departed);
  return { arrived, departed, kept, pending, revisions, changed };
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

/** The history before a snapshot; null where rows of it or of later ones are stored. */
async function openHistory(
  documents: Documents,
  place: Pick<KeptHistory, 'org' | 'environment' | 'revision'>,
  snapshot: number,
): Promise<KeptHistory | null> {
  const { environment, revision } = place;
  const memory = keptHistories(documents.collection(deployments));
  const kept = memory.get(environment);
  memory.delete(environment);
  if (kept !== undefined && kept.to === snapshot - 1 && kept.revision === revision) return kept;
  const query = { where: { environment, snapshot: { gte: snapshot } }, limit: 1 };
  const repeated = await waitForAll([
    documents.collection(deployments).find(query),
    documents.collection(departures).find(query),
  ]);
  if (repeated.flat().length > 0) return null;
  const replayed = newHistory(place);
  for await (const _ of replay(documents, replayed, snapshot - 1));
  return { ...replayed, to: snapshot - 1 };
}

/** Sets the results of rows that are written now, and returns those of earlier rows. */
async function setResults(
  environment: string,
  touched: Iterable<LiveDeployment>,
  left: Iterable<LiveDeployment>,
  arrived: Map<string, DeploymentRow>,
  departed: Map<string, DepartureRow>,
): Promise<Map<string, LiveDeployment>> {
  const changed = new Map<string, LiveDeployment>();
  const slices = new Slices();
  for (const deployment of left) {
    if (slices.over) await slices.next();
    const id = departureId(environment, deployment) ?? '';
    const departure = departed.get(id);
    if (departure !== undefined) departed.set(id, withCompletion(departure, environment, deployment));
  }
  for (const deployment of touched) {
    if (slices.over) await slices.next();
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
 * @param revise gets the deployments with another kind
 */
export async function decideAgain(
  documents: Documents,
  { org, environment }: Pick<KeptHistory, 'org' | 'environment'>,
  revise: (rows: readonly DeploymentRow[]) => Promise<void>,
): Promise<void> {
  keptHistories(documents.collection(deployments)).delete(environment);
  for (let revision = await raiseRevision(documents, environment); ;) {
    const results = new ReplayedResults(documents, environment, revise);
    const kept = newHistory({ org, environment, revision });
    for await (const snapshot of replay(documents, kept, Number.MAX_SAFE_INTEGER)) await results.add(snapshot);
    const isChanged = await results.end();
    const current = await readRevision(documents, environment);
    if (!isChanged && current === revision) return;
    revision = current;
  }
}

/** Compares results with stored rows, and writes those that are others. */
class ReplayedResults {
  /** What may still change, with its rows. */
  private readonly rows = new Map<LiveDeployment, DeploymentRow>();
  private readonly completes = new Map<string, string | undefined>();
  private readonly over = new Set<LiveDeployment>();
  private changed = new Map<string, LiveDeployment>();
  private pending = new Set<LiveDeployment>();
  private isChanged = false;

  constructor(
    private readonly documents: Documents,
    private readonly environment: string,
    private readonly revise: (rows: readonly DeploymentRow[]) => Promise<void>,
  ) {}

  async add({ started, departed, result }: ReplayedSnapshot): Promise<void> {
    const rows = new Map(started.map(({ doc }) => [doc.fingerprint, doc]));
    for (const { id, doc } of departed) this.completes.set(id, doc.completes);
    for (const deployment of result.started) {
      const row = rows.get(deployment.fingerprint);
      if (row !== undefined) this.rows.set(deployment, row);
    }
    for (const deployment of result.over) this.over.add(deployment);
    const isFinished = (deployment: LiveDeployment) => this.over.has(deployment) && deployment.isFinal;
    await this.compare([...result.over, ...result.touched].filter(isFinished));
    // Where a history begins, none of the one before changes any more.
    if ([...started, ...departed].some(({ doc }) => doc.begins !== undefined))
      await this.compare([...this.rows.keys()].filter(({ end }) => end !== null));
  }

  /** @returns whether a row was another one */
  async end(): Promise<boolean> {
    await this.compare(this.rows.keys());
    await this.write();
    return this.isChanged;
  }

  private async compare(deployments: Iterable<LiveDeployment>): Promise<void> {
    const slices = new Slices();
    for (const deployment of deployments) {
      if (slices.over) await slices.next();
      const [row, left] = [this.rows.get(deployment), departureId(this.environment, deployment)];
      if (row === undefined) continue;
      const completes = deployment.completed === null ? undefined : `${this.environment}/${deployment.completed}`;
      const isPaired = left === null || this.completes.get(left) === completes;
      if (!isPaired || !isSame(withResult(row, deployment), row))
        this.changed.set(`${this.environment}/${deployment.id}`, deployment);
      if (!deployment.isFinal) this.pending.add(deployment);
      this.rows.delete(deployment);
      this.over.delete(deployment);
      if (left !== null) this.completes.delete(left);
      if (this.changed.size + this.pending.size >= BATCH) await this.write();
    }
  }

  private async write(): Promise<void> {
    const { documents, environment, changed, pending } = this;
    [this.changed, this.pending] = [new Map(), new Set()];
    await noteChanges(documents, environment, pending);
    if (changed.size === 0) return;
    this.isChanged = true;
    await this.revise(await writeResults(documents, environment, changed));
  }
}
