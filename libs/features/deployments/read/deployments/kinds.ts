import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { deploymentKind, type Start, startedAfter, type Starts } from '@assurance/environments/domain/deployment-kind';
import { isSameLine } from '@assurance/environments/domain/artifact-line';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import { waitForAll, type BytesCache, pieces, Slices } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { type ArtifactLines, lineArtifactOf } from './lines';
import { NewestStarts } from './newest-starts';
import { type DeploymentRow, deployments, type Rows } from './rows';

/** The most pairs of an environment and a fingerprint in one query. Storage engines look up each pair. */
const PAIRS_MAX = 250;
/** How many kinds are computed at once. Each takes some queries. */
const TOGETHER = 25;

/** The first start of an artifact in an environment, cached by environment and fingerprint. It never changes. */
const firstStarts = documentMemory<Start>();

function firstKey({ environment, fingerprint }: Pick<DeploymentRow, 'environment' | 'fingerprint'>): string {
  return `${environment}/${fingerprint}`;
}

/** The first start of an artifact in its environment, if this process knows it. */
export type FirstStartOf = (row: Pick<DeploymentRow, 'environment' | 'fingerprint'>) => Start | undefined;

/** Reads first starts from the cache of this process. */
export function firstStartReader(documents: Documents): FirstStartOf {
  const memory = firstStarts(documents.collection(deployments));
  return (row) => memory.get(firstKey(row));
}

function rememberFirst(memory: BytesCache<Start>, row: DeploymentRow): void {
  memory.set(firstKey(row), { snapshot: row.snapshot, deployedAt: row.deployedAt });
}

/**
 * Marks the first run of a fingerprint in its environment. All other rows are returns: they count as restarts until it is known what ran in between.
 * All rows of an environment come from one stream, in order. So rows of earlier snapshots are already written or among these, and the same event
 * always makes the same rows.
 */
export async function withFirsts(
  documents: Documents,
  org: string,
  rows: Rows<DeploymentRow>,
): Promise<Rows<DeploymentRow>> {
  /** By environment and fingerprint. */
  const first = new Map<string, Map<string, number>>();
  const firstOf = ({ environment, fingerprint }: DeploymentRow) => first.get(environment)?.get(fingerprint);
  const note = (row: DeploymentRow, { snapshot }: Pick<Start, 'snapshot'> = row): void => {
    const startsOfEnvironment = first.get(row.environment) ?? new Map<string, number>();
    startsOfEnvironment.set(row.fingerprint, Math.min(snapshot, startsOfEnvironment.get(row.fingerprint) ?? Infinity));
    first.set(row.environment, startsOfEnvironment);
  };
  const memory = firstStarts(documents.collection(deployments));
  const laterRows: DeploymentRow[] = [];
  for (const row of rows.values()) {
    const results = memory.get(firstKey(row));
    note(row);
    if (results !== undefined) note(row, results);
    // Before the first snapshot there are no deployments.
    else if (row.snapshot > 1) laterRows.push(row);
  }
  const slices = new Slices();
  for (const [environments, fingerprints] of questions(laterRows)) {
    await slices.pause();
    const where = { org, first: true, environment: { in: [...environments] }, fingerprint: { in: [...fingerprints] } };
    // There is at most one row for each pair. So the page is never full, and the query need not wait for rows to be written.
    const results = await documents.collection(deployments).find({ where, limit: PAIRS_MAX + 1 });
    for (const { doc } of results) {
      rememberFirst(memory, doc);
      if (firstOf(doc) !== undefined) note(doc);
    }
  }
  const markFirst = (row: DeploymentRow): DeploymentRow => {
    rememberFirst(memory, row);
    return { ...row, first: true };
  };
  const returning = (row: DeploymentRow): DeploymentRow =>
    row.kind === 'baseline' ? row : { ...row, kind: 'restart' };
  return new Map([...rows].map(([id, row]) => [id, row.snapshot === firstOf(row) ? markFirst(row) : returning(row)]));
}

/** Whether the kind of a deployment depends on other artifacts that ran. */
export function isReturn({ kind, first }: Pick<DeploymentRow, 'kind' | 'first'>): boolean {
  return first === undefined && kind !== 'baseline';
}

/**
 * Computes the kinds of deployments of one environment from all written rows.
 *
 * @param ids the ids of returns
 * @returns whether a kind changed
 */
export async function settleKinds(
  documents: Documents,
  environment: string,
  ids: readonly string[],
  lines: ArtifactLines,
): Promise<boolean> {
  const collection = documents.collection<DeploymentRow>(deployments);
  let changed = false;
  const newest = new NewestStarts(documents, environment);
  for (const group of batches(ids)) {
    const kinds = new Map<string, DeploymentKind>();
    for (const rows of pieces([...(await collection.getMany(group))], TOGETHER)) {
      await waitForAll(
        rows.map(async ([id, row]) => {
          const kind = await kindOf(documents, row, lines, newest);
          if (kind !== row.kind) kinds.set(id, kind);
        }),
      );
    }
    if (kinds.size === 0) continue;
    changed = true;
    await collection.merge([...kinds.keys()], (row, id) => {
      const kind = kinds.get(id);
      return row === null || kind === undefined || row.kind === kind ? undefined : { ...row, kind };
    });
  }
  return changed;
}

async function kindOf(
  documents: Documents,
  row: DeploymentRow,
  lines: ArtifactLines,
  newest: NewestStarts,
): Promise<DeploymentKind> {
  const { environment, fingerprint, snapshot } = row;
  const before = { environment, fingerprint, snapshot: { lte: snapshot - 1 } };
  const [last] = await documents
    .collection<DeploymentRow>(deployments)
    .find({ where: before, order: [['snapshot', 'desc']], limit: 1 });
  if (last === undefined) return row.kind;
  const others = await previousOfLine(newest, row, last.doc, lines);
  if (others === null) return deploymentKind(false, { first: last.doc, last: last.doc }, null);
  const [own, other] = await waitForAll([startsOf(documents, last.doc), startsOf(documents, others)]);
  return deploymentKind(false, own, other);
}

/**
 * Returns the other artifact of the same line that started last between the previous start of this artifact and this start. It returns null if there
 * is none.
 */
async function previousOfLine(
  starts: NewestStarts,
  row: DeploymentRow,
  start: Start,
  lines: ArtifactLines,
): Promise<DeploymentRow | null> {
  const self = lineArtifactOf(row);
  let newest: DeploymentRow | null = null;
  for (const base of await lines.with([row.base])) {
    const window = { from: start.snapshot, to: row.snapshot - 1 };
    for await (const { doc } of starts.of(base, window)) {
      if (!startedAfter(doc, start)) break;
      if (doc.fingerprint === row.fingerprint || !isSameLine(lineArtifactOf(doc), self)) continue;
      if (newest === null || startedAfter(doc, newest)) newest = doc;
      break;
    }
  }
  return newest;
}

/** Returns the first start of the artifact of a row in its environment, and the row. */
async function startsOf(documents: Documents, row: DeploymentRow): Promise<Starts> {
  const { org, environment, fingerprint } = row;
  const collection = documents.collection<DeploymentRow>(deployments);
  const memory = firstStarts(collection);
  const cached = memory.get(firstKey(row));
  if (cached !== undefined) return { first: cached, last: row };
  const where = { org, fingerprint, first: true, environment };
  const [first] = await collection.find({ where, limit: 1 });
  if (first !== undefined) rememberFirst(memory, first.doc);
  return { first: first?.doc ?? row, last: row };
}

/** Groups rows into sets of environments and fingerprints. One query asks for all combinations of a group. */
function questions(rows: Iterable<DeploymentRow>): (readonly [Set<string>, Set<string>])[] {
  const all: (readonly [Set<string>, Set<string>])[] = [];
  let [environments, fingerprints] = [new Set<string>(), new Set<string>()];
  for (const { environment, fingerprint } of rows) {
    const more = environments.size + (environments.has(environment) ? 0 : 1);
    if (more * (fingerprints.size + 1) > PAIRS_MAX) {
      all.push([environments, fingerprints]);
      [environments, fingerprints] = [new Set(), new Set()];
    }
    environments.add(environment);
    fingerprints.add(fingerprint);
  }
  return environments.size > 0 ? [...all, [environments, fingerprints]] : all;
}
