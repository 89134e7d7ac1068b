import { type Start, startedAfter } from '@assurance/environments/domain/deployment-kind';
import { isSameLine, type LineArtifact } from '@assurance/environments/domain/line';
import { matchReplacements } from '@assurance/environments/domain/replaced';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { grouped, pieces, Slices } from '@assurance/kernel';
import { type Documents, type StoredDocument, foundPages } from '@assurance/storage-ports';
import { type ArtifactLines, lineArtifactOf } from './lines';
import { byStart, NewestStarts } from './newest-starts';
import { type DepartureRow, departures, type DeploymentRow, deployments, rowId } from './rows';

const PIECE = 1_000;
/** Base names in one query. */
const BASES = 250;

/** A departure, its place among lines, and its start. */
interface DepartedRow extends LineArtifact, StoredDocument<DepartureRow> {
  readonly start: Start;
}

/**
 * Computes which deployments the departures of some snapshots complete, from all rows that are written: one of the same snapshot, else the newest of
 * the line that started while the departed one ran, and that no other departure completed before.
 *
 * @param since the first of these snapshots: all departures from there on are computed again
 * @param bases all base names of the lines in question
 * @returns whether a departure completed another one
 */
export async function settleCompletions(
  documents: Documents,
  environment: string,
  since: number,
  bases: ReadonlySet<string>,
  lines: ArtifactLines,
): Promise<boolean> {
  const remaining = await departuresSince(documents, environment, since, bases);
  if (remaining.length === 0) return false;
  const until = Math.max(...remaining.map(({ doc }) => doc.snapshot));
  const arrived = grouped(
    await arrivalsBetween(documents, environment, { since, until }, new Set(remaining.map(({ base }) => base)), lines),
    ({ doc }) => doc.snapshot,
  );
  const completed = new Completed(documents, since);
  const starts = new NewestStarts(documents, environment);
  const slices = new Slices();
  for (const [snapshot, gone] of grouped(remaining, ({ doc }) => doc.snapshot)) {
    await slices.pause();
    const come = (arrived.get(snapshot) ?? [])
      .sort(byStart)
      .map((document) => ({ ...document, ...lineArtifactOf(document.doc) }));
    const pairs = matchReplacements(gone, come);
    for (const [departure, { id }] of pairs) completed.set(departure.id, id);
    for (const departure of gone) {
      if (pairs.has(departure)) continue;
      await slices.pause();
      const newest = await findStartMeanwhile(starts, departure, completed, lines);
      if (newest !== null) completed.set(departure.id, newest.id);
    }
  }
  return write(documents, remaining, completed);
}

/** What departures of the computed snapshots complete, as computed so far. */
class Completed {
  private readonly byDeparture = new Map<string, string>();
  private readonly ids = new Set<string>();
  /** What no earlier departure completed. */
  private readonly open = new Set<string>();

  constructor(
    private readonly documents: Documents,
    private readonly since: number,
  ) {}

  of(departure: string): string | undefined {
    return this.byDeparture.get(departure);
  }

  set(departure: string, deployment: string): void {
    this.byDeparture.set(departure, deployment);
    this.ids.add(deployment);
  }

  /** Whether a departure of an earlier snapshot, or one that is computed already, completed it. */
  async has(deployment: string): Promise<boolean> {
    if (this.ids.has(deployment)) return true;
    if (this.open.has(deployment)) return false;
    const where = { completes: deployment, snapshot: { lte: this.since - 1 } };
    const isOpen = (await this.documents.collection<DepartureRow>(departures).count(where)) === 0;
    if (isOpen) this.open.add(deployment);
    return !isOpen;
  }
}

/** Departures by snapshot, those of one snapshot by their start, newest first. */
async function departuresSince(
  documents: Documents,
  environment: string,
  since: number,
  bases: ReadonlySet<string>,
): Promise<DepartedRow[]> {
  const results: StoredDocument<DepartureRow>[] = [];
  for (const some of pieces([...bases], BASES)) {
    const where = { environment, base: { in: some }, snapshot: { gte: since } };
    // Rows come and never go.
    for await (const page of foundPages(documents.collection<DepartureRow>(departures), { where }, PIECE)) {
      results.push(...page);
    }
  }
  const startId = ({ fingerprint, since: snapshot }: DepartureRow) => rowId(environment, snapshot, fingerprint);
  const starts = new Map<string, DeploymentRow>();
  for (const some of batches(results.map(({ doc }) => startId(doc)))) {
    for (const [id, row] of await documents.collection<DeploymentRow>(deployments).getMany(some)) starts.set(id, row);
  }
  const remaining = results.map((document): DepartedRow => {
    const start = starts.get(startId(document.doc)) ?? { snapshot: document.doc.since, deployedAt: Infinity };
    return { ...document, ...lineArtifactOf(document.doc), start };
  });
  return remaining.sort(
    (a, b) =>
      a.doc.snapshot - b.doc.snapshot ||
      b.start.snapshot - a.start.snapshot ||
      (a.start.deployedAt === b.start.deployedAt ? 0 : b.start.deployedAt - a.start.deployedAt) ||
      (a.doc.fingerprint < b.doc.fingerprint ? -1 : 1),
  );
}

async function arrivalsBetween(
  documents: Documents,
  environment: string,
  { since, until }: { readonly since: number; readonly until: number },
  departed: ReadonlySet<string>,
  lines: ArtifactLines,
): Promise<StoredDocument<DeploymentRow>[]> {
  const arrived: StoredDocument<DeploymentRow>[] = [];
  for (const some of pieces([...(await lines.with(departed))], BASES)) {
    const where = { environment, base: { in: some }, snapshot: { gte: since, lte: until } };
    for await (const page of foundPages(documents.collection<DeploymentRow>(deployments), { where }, PIECE)) {
      arrived.push(...page);
    }
  }
  return arrived;
}

async function findStartMeanwhile(
  starts: NewestStarts,
  departure: DepartedRow,
  completed: Completed,
  lines: ArtifactLines,
): Promise<StoredDocument<DeploymentRow> | null> {
  const { snapshot, fingerprint } = departure.doc;
  let newest: StoredDocument<DeploymentRow> | null = null;
  for (const base of await lines.with([departure.base])) {
    const window = { from: departure.start.snapshot, to: snapshot - 1 };
    for await (const document of starts.of(base, window)) {
      if (!startedAfter(document.doc, departure.start) || (newest !== null && byStart(newest, document) < 0)) break;
      if (document.doc.fingerprint === fingerprint || !isSameLine(lineArtifactOf(document.doc), departure)) continue;
      if (await completed.has(document.id)) {
        // What is completed stays so: departures come in order.
        starts.remove(base, document);
        continue;
      }
      newest = document;
      break;
    }
  }
  return newest;
}

async function write(documents: Documents, remaining: readonly DepartedRow[], completed: Completed): Promise<boolean> {
  const changed = remaining.filter(({ id, doc }) => doc.completes !== completed.of(id)).map(({ id }) => id);
  for (const some of batches(changed)) {
    await documents.collection<DepartureRow>(departures).merge(some, (row, id) => {
      const deployment = completed.of(id);
      if (row === null || row.completes === deployment) return undefined;
      const { completes: _, ...rest } = row;
      return deployment === undefined ? rest : { ...rest, completes: deployment };
    });
  }
  return changed.length > 0;
}
