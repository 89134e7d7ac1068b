import type { LineArtifact } from '@assurance/environments/domain/artifact-line';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import { getOrInsert, Slices } from '@assurance/kernel';
import {
  type Collection,
  type Documents,
  findPages,
  getAll,
  pagesInOrder,
  type Query,
  type StoredDocument,
} from '@assurance/storage-ports';
import type { FirstRun } from '../../domain/deployment';
import type { LiveDeployment, SnapshotResult } from '../../domain/draft';
import { DeploymentHistory, type EarlierRuns, type SnapshotFacts } from '../../domain/history';
import type { ArtifactSnapshot, NameChange } from '../../domain/names';
import type { Origin } from './origin';
import { type DepartureRow, departures, type DeploymentRow, deployments, environmentRevisions, rowId } from './rows';

const PIECE = 1_000;
/** Roughly the memory of a deployment (bytes). */
const DEPLOYMENT_BYTES = 1_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** What is decided in an environment up to a snapshot, as this process follows it. */
export interface KeptHistory {
  readonly org: string;
  readonly environment: string;
  readonly history: DeploymentHistory;
  /** The newest snapshot that was applied. */
  to: number;
  /** The snapshot in which the present history began. */
  begin: number;
  /** As `environmentRevisions`. */
  revision: number;
}

/** Histories by environment. A history is taken out while rows are decided from it. */
export const keptHistories = documentMemory<KeptHistory>(
  ({ history }) => DEPLOYMENT_BYTES * (1 + history.size),
  BYTES_MAX,
);

export function newHistory(place: Pick<KeptHistory, 'org' | 'environment' | 'revision'>): KeptHistory {
  return { ...place, history: new DeploymentHistory(), to: 0, begin: 1 };
}

/** The fields of an origin that determine lines. */
export function lineOriginOf(origin: Origin | null): LineArtifact['origin'] {
  return origin && { flow: origin.flow.id, template: origin.template, repo: origin.repo?.id ?? null };
}

/** The rows of one snapshot, and what it changed. */
export interface ReplayedSnapshot extends SnapshotRows {
  readonly result: SnapshotResult;
}

interface SnapshotRows {
  readonly started: readonly StoredDocument<DeploymentRow>[];
  readonly departed: readonly StoredDocument<DepartureRow>[];
}

/** Applies a snapshot in slices, because it may have many artifacts. */
export async function applyInSlices(
  history: DeploymentHistory,
  snapshot: ArtifactSnapshot,
  facts: SnapshotFacts,
): Promise<SnapshotResult> {
  const slices = new Slices();
  const draft = history.begin(snapshot, facts);
  while (draft.step()) if (slices.over) await slices.next();
  return draft.result();
}

/**
 * Decides the rows of an environment anew, snapshot by snapshot. It keeps what may still decide something.
 *
 * @param kept a new history
 * @param to the last snapshot
 */
export async function* replay(documents: Documents, kept: KeptHistory, to: number): AsyncGenerator<ReplayedSnapshot> {
  const { org, environment, history } = kept;
  for await (const { rows, snapshot } of snapshotsOf(documents, environment, to)) {
    if (snapshot.isBaseline) kept.begin = snapshot.snapshot;
    const returned = rows.started.flatMap(({ doc: { kind, fingerprint } }) =>
      kind === 'baseline' || kind === 'first' || history.hasLive(fingerprint) ? [] : [fingerprint],
    );
    const range = { gte: kept.begin, lte: snapshot.snapshot - 1 };
    const earlierRuns = await readEarlierRuns(documents, { org, environment, range }, returned);
    const origins = new Map(rows.started.map(({ doc }) => [doc.fingerprint, lineOriginOf(doc.origin)]));
    const facts: SnapshotFacts = {
      originOf: (fingerprint) => origins.get(fingerprint) ?? null,
      earlierRunsOf: (fingerprint) => earlierRuns.get(fingerprint) ?? null,
    };
    const result = await applyInSlices(history, snapshot, facts);
    kept.to = snapshot.snapshot;
    yield { ...rows, result };
  }
}

/** The snapshots that rows tell, oldest first. */
async function* snapshotsOf(
  documents: Documents,
  environment: string,
  to: number,
): AsyncGenerator<{ readonly rows: SnapshotRows; readonly snapshot: ArtifactSnapshot }> {
  const arrivals = bySnapshot(documents.collection<DeploymentRow>(deployments), environment, to);
  const ends = bySnapshot(documents.collection<DepartureRow>(departures), environment, to);
  let [arrival, end] = [await arrivals.next(), await ends.next()];
  /** The moves of later snapshots. */
  const moves = new Map<number, { at: number; renamed: Map<string, NameChange> }>();
  for (;;) {
    const first = Math.min(numberOf(arrival), numberOf(end), minOf(moves.keys()));
    if (first > to) return;
    const started = numberOf(arrival) === first ? (arrival.value ?? []) : [];
    const departed = numberOf(end) === first ? (end.value ?? []) : [];
    if (started.length > 0) arrival = await arrivals.next();
    if (departed.length > 0) end = await ends.next();
    for (const { doc } of started) {
      for (const { snapshot, at, names } of doc.moves ?? [])
        getOrInsert(moves, snapshot, () => ({ at, renamed: new Map() })).renamed.set(doc.fingerprint, () => names);
    }
    const own = moves.get(first);
    moves.delete(first);
    const [{ doc: { at, begins } } = { doc: { at: own?.at ?? 0, begins: undefined } }] = [...started, ...departed];
    const snapshot: ArtifactSnapshot = {
      snapshot: first,
      at,
      isBaseline: begins !== undefined,
      isAfresh: begins === 'afresh',
      started: started.map(({ doc: { fingerprint, name, names = [[name, []]], deployedAt } }) => () => ({
        fingerprint,
        names,
        deployedAt,
      })),
      departed: departed.map(({ doc }) => doc.fingerprint),
      renamed: own?.renamed ?? new Map(),
    };
    yield { rows: { started, departed }, snapshot };
  }
}

/** The rows of an environment, one list for each snapshot. */
async function* bySnapshot<Row extends DeploymentRow | DepartureRow>(
  collection: Collection<Row>,
  environment: string,
  to: number,
): AsyncGenerator<readonly StoredDocument<Row>[], undefined> {
  const query = { where: { environment, snapshot: { lte: to } }, order: orderBy('snapshot') };
  let rows: StoredDocument<Row>[] = [];
  for await (const page of pagesInOrder(collection, query, PIECE)) {
    for (const row of page) {
      if (rows.length > 0 && rows[0]?.doc.snapshot !== row.doc.snapshot) {
        yield rows;
        rows = [];
      }
      rows.push(row);
    }
  }
  if (rows.length > 0) yield rows;
}

function numberOf({ value }: IteratorResult<SnapshotRows['started'] | SnapshotRows['departed'], undefined>): number {
  return value?.[0]?.doc.snapshot ?? Infinity;
}

function minOf(numbers: Iterable<number>): number {
  let min = Infinity;
  for (const number of numbers) if (number < min) min = number;
  return min;
}

/** The snapshots of an environment in which something is looked for. */
interface SnapshotRange {
  readonly org: string;
  readonly environment: string;
  /** Both ends included. */
  readonly range: { readonly gte: number; readonly lte: number };
}

/** When artifacts ran before in some snapshots of an environment, of those that did. */
export async function readEarlierRuns(
  documents: Documents,
  { org, environment, range }: SnapshotRange,
  fingerprints: readonly string[],
): Promise<Map<string, EarlierRuns>> {
  const runs = new Map<string, EarlierRuns>();
  for (const some of batches(fingerprints)) {
    const where = { org, environment, fingerprint: { in: some }, snapshot: range };
    for (const [fingerprint, own] of await readRuns(documents, where)) runs.set(fingerprint, own);
  }
  return runs;
}

async function readRuns(documents: Documents, where: Query['where']): Promise<Map<string, EarlierRuns>> {
  const runs = new Map<string, EarlierRuns>();
  const ends = new Map<string, EarlierRuns['lastEnd']>();
  for await (const page of findPages(documents.collection<DepartureRow>(departures), { where }, PIECE)) {
    for (const { doc } of page) {
      const { fingerprint, snapshot, at } = doc;
      if (snapshot > (ends.get(fingerprint)?.snapshot ?? 0)) ends.set(fingerprint, { snapshot, at });
    }
  }
  if (ends.size === 0) return runs;
  const returned = { ...where, fingerprint: { in: [...ends.keys()] } };
  const firsts = new Map<string, FirstRun>();
  for await (const page of findPages(documents.collection<DeploymentRow>(deployments), { where: returned }, PIECE)) {
    for (const { doc } of page) {
      const { fingerprint, snapshot, deployedAt, at, begins } = doc;
      if (snapshot >= (firsts.get(fingerprint)?.snapshot ?? Infinity)) continue;
      const isStartKnown = deployedAt * 1_000 < at;
      firsts.set(fingerprint, { snapshot, deployedAt, isStartKnown, isBaseline: begins !== undefined });
    }
  }
  // What ran on where the history began has no start in it.
  const carried: FirstRun = { snapshot: 0, deployedAt: 0, isStartKnown: false, isBaseline: true };
  for (const [fingerprint, lastEnd] of ends)
    runs.set(fingerprint, { first: firsts.get(fingerprint) ?? carried, lastEnd });
  return runs;
}

export async function readRevision(documents: Documents, environment: string): Promise<number> {
  return (await readRevisions(documents, [environment]))(environment);
}

export async function readRevisions(
  documents: Documents,
  environments: readonly string[],
): Promise<(environment: string) => number> {
  const results = await getAll(documents.collection(environmentRevisions), environments);
  return (environment) => results.get(environment)?.revision ?? 0;
}

/** Says that what a process keeps of an environment may be out of date. */
export async function raiseRevision(documents: Documents, environment: string): Promise<number> {
  let revision = 0;
  await documents.collection(environmentRevisions).merge([environment], (current) => {
    revision = (current?.revision ?? 0) + 1;
    return { revision };
  });
  return revision;
}

/** The id of the departure row of a deployment; null while it runs. */
export function departureId(environment: string, { end, fingerprint }: LiveDeployment): string | null {
  return end === null ? null : rowId(environment, end.snapshot, fingerprint);
}
