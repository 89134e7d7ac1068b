import type { LineArtifact, Origin as LineOrigin } from '@assurance/environments/domain/artifact-line';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import { Slices } from '@assurance/kernel';
import { type Documents, findPages, getAll, type StoredDocument } from '@assurance/storage-ports';
import type { FirstRun } from '../../domain/deployment';
import type { LiveDeployment } from '../../domain/draft';
import { DeploymentHistory, type EarlierRuns, type SnapshotFacts } from '../../domain/history';
import type { ArtifactSnapshot, Names } from '../../domain/names';
import type { Origin } from './origin';
import { type DepartureRow, departures, type DeploymentRow, deployments, environmentRevisions, rowId } from './rows';

const PIECE = 1_000;
/** Roughly the memory of a deployment (bytes). */
const DEPLOYMENT_BYTES = 1_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** What is decided in an environment up to a snapshot, as this process follows it. */
export interface KeptHistory {
  readonly history: DeploymentHistory;
  /** The newest snapshot that was applied. */
  to: number;
  /** The snapshot in which the present history began. */
  begin: number;
  /** As `environmentRevisions`. */
  revision: number;
  readonly origins: Map<string, LineOrigin | null>;
}

/** Histories by environment. A history is taken out while rows are decided from it. */
export const keptHistories = documentMemory<KeptHistory>(
  ({ history }) => DEPLOYMENT_BYTES * (1 + history.size),
  BYTES_MAX,
);

/** The fields of an origin that determine lines. */
export function lineOriginOf(origin: Origin | null): LineArtifact['origin'] {
  return origin && { flow: origin.flow.id, template: origin.template, repo: origin.repo?.id ?? null };
}

/** All rows of an environment. */
export interface EnvironmentRows {
  readonly deployments: readonly StoredDocument<DeploymentRow>[];
  readonly departures: readonly StoredDocument<DepartureRow>[];
}

export async function readEnvironment(documents: Documents, environment: string): Promise<EnvironmentRows> {
  const all = { deployments: [] as StoredDocument<DeploymentRow>[], departures: [] as StoredDocument<DepartureRow>[] };
  const query = { where: { environment } };
  // Rows are added and never removed.
  for await (const page of findPages(documents.collection<DeploymentRow>(deployments), query, PIECE))
    all.deployments.push(...page);
  for await (const page of findPages(documents.collection<DepartureRow>(departures), query, PIECE))
    all.departures.push(...page);
  return all;
}

/** Decides all rows of an environment anew. */
export async function replayRows(rows: EnvironmentRows, to: number, revision: number) {
  const origins = new Map(rows.deployments.map(({ doc }) => [doc.fingerprint, lineOriginOf(doc.origin)]));
  const kept: KeptHistory = { history: new DeploymentHistory(), to, begin: 1, revision, origins };
  const all = new Map<string, LiveDeployment>();
  const last = new Map<string, LiveDeployment>();
  const facts: SnapshotFacts = {
    originOf: (fingerprint) => origins.get(fingerprint) ?? null,
    earlierRunsOf: (fingerprint) => {
      const deployment = last.get(fingerprint);
      if (deployment === undefined || deployment.end === null) return null;
      return { first: deployment.first, lastEnd: deployment.end };
    },
  };
  const slices = new Slices();
  for (const snapshot of snapshotsOf(rows)) {
    await slices.pause();
    if (snapshot.isBaseline) {
      kept.begin = snapshot.snapshot;
      last.clear();
    }
    for (const deployment of kept.history.apply(snapshot, facts).started) {
      all.set(deployment.id, deployment);
      last.set(deployment.fingerprint, deployment);
    }
  }
  return { kept, all };
}

/** The snapshots that rows tell, oldest first. */
function snapshotsOf({ deployments: arrived, departures: departed }: EnvironmentRows): ArtifactSnapshot[] {
  const snapshots = new Map<number, SnapshotDraft>();
  const draftOf = (snapshot: number, { at, begins }: Pick<DepartureRow, 'at' | 'begins'>): SnapshotDraft => {
    const draft = snapshots.get(snapshot) ?? new SnapshotDraft(snapshot, at);
    snapshots.set(snapshot, draft);
    if (begins !== undefined) draft.isBaseline = true;
    if (begins === 'afresh') draft.isAfresh = true;
    return draft;
  };
  for (const { doc } of arrived) {
    const { snapshot, fingerprint, deployedAt, moves = [] } = doc;
    draftOf(snapshot, doc).started.push({ fingerprint, names: doc.names ?? [[doc.name, []]], deployedAt });
    for (const move of moves) draftOf(move.snapshot, { at: move.at }).renamed.set(fingerprint, move.names);
  }
  for (const { doc } of departed) draftOf(doc.snapshot, doc).departed.push(doc.fingerprint);
  return [...snapshots.values()].sort((a, b) => a.snapshot - b.snapshot);
}

class SnapshotDraft implements ArtifactSnapshot {
  isBaseline = false;
  isAfresh = false;
  readonly started: { fingerprint: string; names: Names; deployedAt: number }[] = [];
  readonly departed: string[] = [];
  readonly renamed = new Map<string, Names>();

  constructor(
    readonly snapshot: number,
    readonly at: number,
  ) {}
}

/** When artifacts ran before in the present history of an environment, of those that did. */
export async function readEarlierRuns(
  documents: Documents,
  environment: string,
  begin: number,
  fingerprints: readonly string[],
): Promise<Map<string, EarlierRuns>> {
  const runs = new Map<string, EarlierRuns>();
  if (fingerprints.length === 0) return runs;
  const where = { environment, fingerprint: { in: fingerprints }, snapshot: { gte: begin } };
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
