import { type Start, startedAfter } from '@assurance/environments/domain/deployment-kind';
import { isSameLine, type Placed } from '@assurance/environments/domain/line';
import { replacementsIn } from '@assurance/environments/domain/replaced';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { grouped, pieces, Slices } from '@assurance/kernel';
import { type Documents, type Found, foundPages } from '@assurance/storage-ports';
import { type Lines, placed } from './lines';
import { byStart, NewestStarts } from './newest-starts';
import { type DepartureRow, departures, type DeploymentRow, deployments, rowId } from './rows';

const PIECE = 1_000;
/** Base names in one query. */
const BASES = 250;

/** A departure, its place among lines, and its start. */
interface Left extends Placed, Found<DepartureRow> {
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
  lines: Lines,
): Promise<boolean> {
  const left = await departedSince(documents, environment, since, bases);
  if (left.length === 0) return false;
  const until = Math.max(...left.map(({ doc }) => doc.snapshot));
  const arrived = grouped(
    await arrivedIn(documents, environment, { since, until }, new Set(left.map(({ base }) => base)), lines),
    ({ doc }) => doc.snapshot,
  );
  const completed = new Completed(documents, since);
  const starts = new NewestStarts(documents, environment);
  const slices = new Slices();
  for (const [snapshot, gone] of grouped(left, ({ doc }) => doc.snapshot)) {
    await slices.pause();
    const come = (arrived.get(snapshot) ?? []).sort(byStart).map((one) => ({ ...one, ...placed(one.doc) }));
    const pairs = replacementsIn(gone, come);
    for (const [departure, { id }] of pairs) completed.set(departure.id, id);
    for (const departure of gone) {
      if (pairs.has(departure)) continue;
      await slices.pause();
      const newest = await startedMeanwhile(starts, departure, completed, lines);
      if (newest !== null) completed.set(departure.id, newest.id);
    }
  }
  return write(documents, left, completed);
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
async function departedSince(
  documents: Documents,
  environment: string,
  since: number,
  bases: ReadonlySet<string>,
): Promise<Left[]> {
  const found: Found<DepartureRow>[] = [];
  for (const some of pieces([...bases], BASES)) {
    const where = { environment, base: { in: some }, snapshot: { gte: since } };
    // Rows come and never go.
    for await (const page of foundPages(documents.collection<DepartureRow>(departures), { where }, PIECE)) {
      found.push(...page);
    }
  }
  const startId = ({ fingerprint, since: snapshot }: DepartureRow) => rowId(environment, snapshot, fingerprint);
  const starts = new Map<string, DeploymentRow>();
  for (const some of batches(found.map(({ doc }) => startId(doc)))) {
    for (const [id, row] of await documents.collection<DeploymentRow>(deployments).getMany(some)) starts.set(id, row);
  }
  const left = found.map((one): Left => {
    const start = starts.get(startId(one.doc)) ?? { snapshot: one.doc.since, deployedAt: Infinity };
    return { ...one, ...placed(one.doc), start };
  });
  return left.sort(
    (a, b) =>
      a.doc.snapshot - b.doc.snapshot ||
      b.start.snapshot - a.start.snapshot ||
      (a.start.deployedAt === b.start.deployedAt ? 0 : b.start.deployedAt - a.start.deployedAt) ||
      (a.doc.fingerprint < b.doc.fingerprint ? -1 : 1),
  );
}

async function arrivedIn(
  documents: Documents,
  environment: string,
  { since, until }: { readonly since: number; readonly until: number },
  departed: ReadonlySet<string>,
  lines: Lines,
): Promise<Found<DeploymentRow>[]> {
  const arrived: Found<DeploymentRow>[] = [];
  for (const some of pieces([...(await lines.with(departed))], BASES)) {
    const where = { environment, base: { in: some }, snapshot: { gte: since, lte: until } };
    for await (const page of foundPages(documents.collection<DeploymentRow>(deployments), { where }, PIECE)) {
      arrived.push(...page);
    }
  }
  return arrived;
}

async function startedMeanwhile(
  starts: NewestStarts,
  departure: Left,
  completed: Completed,
  lines: Lines,
): Promise<Found<DeploymentRow> | null> {
  const { snapshot, fingerprint } = departure.doc;
  let newest: Found<DeploymentRow> | null = null;
  for (const base of await lines.with([departure.base])) {
    const window = { from: departure.start.snapshot, to: snapshot - 1 };
    for await (const one of starts.of(base, window)) {
      if (!startedAfter(one.doc, departure.start) || (newest !== null && byStart(newest, one) < 0)) break;
      if (one.doc.fingerprint === fingerprint || !isSameLine(placed(one.doc), departure)) continue;
      if (await completed.has(one.id)) {
        // What is completed stays so: departures come in order.
        starts.remove(base, one);
        continue;
      }
      newest = one;
      break;
    }
  }
  return newest;
}

async function write(documents: Documents, left: readonly Left[], completed: Completed): Promise<boolean> {
  const changed = left.filter(({ id, doc }) => doc.completes !== completed.of(id)).map(({ id }) => id);
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
