import { type Start, startedAfter } from '@assurance/environments/domain/deployment-kind';
import { isSameLine, type LineArtifact } from '@assurance/environments/domain/artifact-line';
import { matchReplacements } from '@assurance/environments/domain/replaced';
import { batches } from '@assurance/event-sourcing/projection/batches';
import { waitForAll, groupBy, pieces, Slices } from '@assurance/kernel';
import { type Collection, type Documents, findPages, type StoredDocument } from '@assurance/storage-ports';
import { type ArtifactLines, lineArtifactOf } from './lines';
import { byStart, NewestStarts } from './newest-starts';
import { type DepartureRow, departures, type DeploymentRow, deployments, rowId } from './rows';

const PIECE = 1_000;
/** The most base names in one query. */
const BASES = 250;

/** A departure, the artifact as lines compare it, and its start. */
interface DepartedRow extends LineArtifact, StoredDocument<DepartureRow> {
  readonly start: Start;
}

/** The input of a computation of completions. */
interface CompletionInput {
  /** The first snapshot to compute. All departures from there on are computed again. */
  readonly since: number;
  /** Base names of the departed artifacts. */
  readonly bases: ReadonlySet<string>;
  /** The departures that are known. There may be others. */
  readonly departures: readonly DepartureRow[];
}

/**
 * Computes which deployment each departure completes, for some snapshots of one environment, from all written rows. It is a deployment of the same
 * snapshot. If there is none, it is the newest deployment of the same line that started while the departed artifact ran, and that no earlier
 * departure completed.
 */
export class Completions {
  /** Starts by row id. The start of a row never changes. */
  private readonly starts = new Map<string, Start>();
  /** Base names of the related lines, as they were last read. */
  private relatedBases: ReadonlySet<string>;

  constructor(
    private readonly documents: Documents,
    private readonly environment: string,
    private readonly input: CompletionInput,
  ) {
    this.relatedBases = input.bases;
  }

  /**
   * Reads all rows again and computes completions. It reads the rows of the expected base names together with the lines, which mostly confirm them.
   *
   * @returns whether a departure now completes another deployment
   */
  async settle(lines: ArtifactLines): Promise<boolean> {
    const { since, bases, departures: pendingDepartures } = this.input;
    if (bases.size === 0) return false;
    const expectedBases = this.relatedBases;
    const [related, rows] = await waitForAll([
      lines.with(bases),
      this.read(expectedBases),
      this.readStarts(pendingDepartures),
    ]);
    this.relatedBases = related;
    // Lines only grow, so an equal size means equal names.
    const [left, arrivedRows] = related.size === expectedBases.size ? rows : await this.read(related);
    if (left.length === 0) return false;
    await this.readStarts(left.map(({ doc }) => doc));
    const remainingRows = this.inOrder(left);
    const completedDeployments = await completeDeployments(
      this.documents,
      { remainingRows, arrivedRows, since, environment: this.environment },
      lines,
    );
    return write(this.documents, remainingRows, completedDeployments);
  }

  /** Reads departures and deployments of some base names. */
  private read(bases: ReadonlySet<string>) {
    const { documents, environment, input } = this;
    return waitForAll([
      rowsSince(documents.collection<DepartureRow>(departures), environment, input.since, bases),
      rowsSince(documents.collection<DeploymentRow>(deployments), environment, input.since, bases),
    ]);
  }

  private async readStarts(rows: readonly DepartureRow[]): Promise<void> {
    const unknownIds = rows.map((row) => this.startId(row)).filter((id) => !this.starts.has(id));
    for (const group of batches(unknownIds)) {
      const storedRows = await this.documents.collection<DeploymentRow>(deployments).getMany(group);
      for (const [id, { snapshot, deployedAt }] of storedRows) this.starts.set(id, { snapshot, deployedAt });
    }
  }

  /** Sorts departures by snapshot, then by start, newest first. */
  private inOrder(rows: readonly StoredDocument<DepartureRow>[]): DepartedRow[] {
    const remainingRows = rows.map((document): DepartedRow => {
      const unknownStart = { snapshot: document.doc.since, deployedAt: Infinity };
      const start = this.starts.get(this.startId(document.doc)) ?? unknownStart;
      return { ...document, ...lineArtifactOf(document.doc), start };
    });
    return remainingRows.sort(
      (a, b) =>
        a.doc.snapshot - b.doc.snapshot ||
        b.start.snapshot - a.start.snapshot ||
        (a.start.deployedAt === b.start.deployedAt ? 0 : b.start.deployedAt - a.start.deployedAt) ||
        (a.doc.fingerprint < b.doc.fingerprint ? -1 : 1),
    );
  }

  private startId({ fingerprint, since }: DepartureRow): string {
    return rowId(this.environment, since, fingerprint);
  }
}

/** Reads rows of some base names from a snapshot on. */
async function rowsSince<T extends DepartureRow | DeploymentRow>(
  collection: Collection<T>,
  environment: string,
  since: number,
  bases: ReadonlySet<string>,
): Promise<StoredDocument<T>[]> {
  const rows: StoredDocument<T>[] = [];
  for (const some of pieces([...bases], BASES)) {
    const where = { environment, base: { in: some }, snapshot: { gte: since } };
    // Rows are added and never removed.
    for await (const page of findPages(collection, { where }, PIECE)) rows.push(...page);
  }
  return rows;
}

/** The rows from which the completions of an environment are computed. */
interface WrittenRows {
  readonly environment: string;
  readonly since: number;
  /** Sorted. */
  readonly remainingRows: readonly DepartedRow[];
  readonly arrivedRows: readonly StoredDocument<DeploymentRow>[];
}

async function completeDeployments(
  documents: Documents,
  { environment, since, remainingRows: remaining, arrivedRows }: WrittenRows,
  lines: ArtifactLines,
): Promise<CompletedDeployments> {
  const arrivals = groupBy(arrivedRows, ({ doc }) => doc.snapshot);
  const completed = new CompletedDeployments(documents, since);
  const starts = new NewestStarts(documents, environment);
  const slices = new Slices();
  for (const [snapshot, departed] of groupBy(remaining, ({ doc }) => doc.snapshot)) {
    await slices.pause();
    const arrivalsHere = [...(arrivals.get(snapshot) ?? [])]
      .sort(byStart)
      .map((document) => ({ ...document, ...lineArtifactOf(document.doc) }));
    const pairs = matchReplacements(departed, arrivalsHere);
    for (const [departure, { id }] of pairs) completed.set(departure.id, id);
    for (const departure of departed) {
      if (pairs.has(departure)) continue;
      await slices.pause();
      const newest = await findStartMeanwhile(starts, departure, completed, lines);
      if (newest !== null) completed.set(departure.id, newest.id);
    }
  }
  return completed;
}

/** The deployments that departures complete, as far as they are computed. */
class CompletedDeployments {
  private readonly byDeparture = new Map<string, string>();
  private readonly ids = new Set<string>();
  /** Deployments that no earlier departure completed. */
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

  /** Whether a departure of an earlier snapshot, or one that is already computed, completed the deployment. */
  async has(deployment: string): Promise<boolean> {
    if (this.ids.has(deployment)) return true;
    if (this.open.has(deployment)) return false;
    const where = { completes: deployment, snapshot: { lte: this.since - 1 } };
    const isOpen = (await this.documents.collection<DepartureRow>(departures).count(where)) === 0;
    if (isOpen) this.open.add(deployment);
    return !isOpen;
  }
}

async function findStartMeanwhile(
  starts: NewestStarts,
  departure: DepartedRow,
  completedDeployments: CompletedDeployments,
  lines: ArtifactLines,
): Promise<StoredDocument<DeploymentRow> | null> {
  const { snapshot, fingerprint } = departure.doc;
  let newest: StoredDocument<DeploymentRow> | null = null;
  for (const base of await lines.with([departure.base])) {
    const window = { from: departure.start.snapshot, to: snapshot - 1 };
    for await (const document of starts.of(base, window)) {
      if (!startedAfter(document.doc, departure.start) || (newest !== null && byStart(newest, document) < 0)) break;
      if (document.doc.fingerprint === fingerprint || !isSameLine(lineArtifactOf(document.doc), departure)) continue;
      if (await completedDeployments.has(document.id)) {
        // A completed deployment stays completed, because departures are processed in order.
        starts.remove(base, document);
        continue;
      }
      newest = document;
      break;
    }
  }
  return newest;
}

async function write(
  documents: Documents,
  remainingRows: readonly DepartedRow[],
  completedDeployments: CompletedDeployments,
): Promise<boolean> {
  const changedIds = remainingRows
    .filter(({ id, doc }) => doc.completes !== completedDeployments.of(id))
    .map(({ id }) => id);
  for (const some of batches(changedIds)) {
    await documents.collection<DepartureRow>(departures).merge(some, (row, id) => {
      const deployment = completedDeployments.of(id);
      if (row === null || row.completes === deployment) return undefined;
      const { completes: _, ...rest } = row;
      return deployment === undefined ? rest : { ...rest, completes: deployment };
    });
  }
  return changedIds.length > 0;
}
