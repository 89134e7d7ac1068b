import type { DeploymentKind } from '@assurance/contracts/environments/events';
import {
  compareToKey,
  type Cursor,
  EMPTY_PAGE,
  type PageOfDocuments,
  pageFromDocuments,
} from '@assurance/event-sourcing/projection/cursor-page';
import { periodOf, QUARTER, boundsOf } from '@assurance/event-sourcing/projection/days/periods';
import { anyOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type Documents, type StoredDocument, pagesInOrder } from '@assurance/storage-ports';
import { type DeploymentFilter, deploymentLists, type DeploymentPage } from '../deployments/list';
import { countedDeployments, type DeploymentRow } from '../deployments/rows';
import { type Day, readDays, readQuarters, figuresOfWholeDay } from './read';
import type { Figures } from './rows';

const { order } = countedDeployments;
const PIECE = 1_000;
/** Days with more deployments are read by quarters of an hour. */
const MANY = 1_000;

/** A filter that selects only some kinds. */
export interface KindFilter extends DeploymentFilter {
  readonly kinds: readonly DeploymentKind[];
}

/** A time range within the window, both ends included, and the number of its deployments of the kinds. */
interface Part {
  readonly gte: number;
  readonly lte: number;
  readonly count: number;
}

/**
 * Returns one page of deployments of some kinds, newest first, and their total number. Day figures contain counts of kinds. So rows are read only for
 * the parts of days that the page shows, and for the two quarters of an hour that the window cuts.
 */
export async function listKinds(
  documents: Documents,
  filter: KindFilter,
  { page, perPage, cursor = null }: PageRequest,
): Promise<DeploymentPage> {
  if (filter.repos?.length === 0 || filter.environments?.length === 0) return { ...EMPTY_PAGE, rows: [], count: 0 };
  const parts = await partsOf(documents, filter);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const { documents: rows, ...ends } =
    perPage === 0
      ? EMPTY_PAGE
      : cursor === null
        ? await numberedPage(documents, filter, parts, (page - 1) * perPage, perPage)
        : await pageBeside(documents, filter, parts, cursor, perPage);
  return { rows: rows.map(({ doc }) => doc), count, ...ends };
}

type Rows = readonly StoredDocument<DeploymentRow>[];

/** Returns the page after the first `skip` deployments. */
async function numberedPage(
  documents: Documents,
  filter: KindFilter,
  parts: readonly Part[],
  skip: number,
  perPage: number,
): Promise<PageOfDocuments<DeploymentRow>> {
  const hasPrevious = skip > 0;
  const limit = perPage + (hasPrevious ? 2 : 1);
  const read: Rows[number][] = [];
  let rowsAhead = hasPrevious ? skip - 1 : 0;
  for (const part of parts) {
    if (read.length >= limit) break;
    if (rowsAhead >= part.count) {
      rowsAhead -= part.count;
      continue;
    }
    for await (const some of rowsIn(documents, filter, part)) {
      read.push(...some.slice(rowsAhead, rowsAhead + limit - read.length));
      rowsAhead = Math.max(0, rowsAhead - some.length);
      if (read.length >= limit) break;
    }
  }
  return pageFromDocuments(order, read, { hasPrevious: hasPrevious && read.length > 0, perPage });
}

/** Returns the page before or after a row. */
async function pageBeside(
  documents: Documents,
  filter: KindFilter,
  parts: readonly Part[],
  { side, key }: Cursor,
  perPage: number,
): Promise<PageOfDocuments<DeploymentRow>> {
  const at = Number(key[0]);
  const isAfter = side === 'after';
  /** Rows from the key on, nearest first. */
  const read: Rows[number][] = [];
  for (const part of isAfter ? parts : parts.toReversed()) {
    if (read.length > perPage) break;
    if (isAfter ? part.gte > at : part.lte < at) continue;
    const rows = [];
    for await (const some of rowsIn(documents, filter, part)) rows.push(...some);
    const beside = rows.filter(({ doc }) => compareToKey(order, doc, key) * (isAfter ? 1 : -1) > 0);
    read.push(...(isAfter ? beside : beside.reverse()));
  }
  const near = read.slice(0, perPage + 1);
  if (isAfter) return { ...pageFromDocuments(order, near, { hasPrevious: false, perPage }), previous: key };
  const page = pageFromDocuments(order, near.toReversed(), { hasPrevious: near.length > perPage, perPage });
  return { ...page, more: near.length > 0 };
}

/** Returns the parts of the window with such deployments, newest first. */
async function partsOf(documents: Documents, filter: KindFilter): Promise<Part[]> {
  const { start, end, kinds } = filter;
  const countOf = (figures: Figures) => kinds.reduce((sum, kind) => sum + (figures.kinds[kind] ?? 0), 0);
  /** By their beginning: whole days, or quarters of an hour. */
  const counts = new Map<number, { readonly to: number; count: number }>();
  const add = (from: number, to: number, count: number) => {
    const part = counts.get(from);
    counts.set(from, { to, count: count + (part?.to === to ? part.count : 0) });
  };
  const lists = new Map(deploymentLists(filter).map((list) => [list.key, list]));
  const days = new Map<number, Figures[]>();
  const read: { readonly at: number; readonly day: Day }[] = [];
  for await (const { day, stored } of readDays(documents, lists, start, end)) {
    const { at } = day.period;
    days.set(at, [...(days.get(at) ?? []), await figuresOfWholeDay(day, stored)]);
    read.push({ at, day });
  }
  const isCut = (at: number) => periodOf(0, at).from < start || periodOf(0, at).to > end;
  const isLarge = (at: number) =>
    (days.get(at) ?? []).reduce((sum, { kinds: all }) => sum + Object.values(all).reduce((a, b) => a + b, 0), 0) > MANY;
  for (const [at, figures] of days) {
    const { from, to } = periodOf(0, at);
    if (!isCut(at) && !isLarge(at)) for (const figure of figures) add(from, to, countOf(figure));
  }
  for (const { at, day } of read) {
    if (!isCut(at) && !isLarge(at)) continue;
    const { from } = periodOf(0, at);
    for (const [quarter, figures] of Object.entries(await readQuarters(day))) {
      const begin = from + Number(quarter) * QUARTER;
      add(begin, begin + QUARTER, countOf(figures));
    }
  }
  const parts: Part[] = [];
  for (const [from, { to, count }] of [...counts].sort(([a], [b]) => b - a)) {
    if (count === 0 || from > end || to <= start) continue;
    const part = { gte: Math.max(from, start), lte: Math.min(boundsOf({ from, to }).lte, end) };
    const isWhole = from >= start && to <= end;
    parts.push({ ...part, count: isWhole ? count : await countIn(documents, filter, part) });
  }
  return parts;
}

async function countIn(documents: Documents, filter: KindFilter, part: Omit<Part, 'count'>): Promise<number> {
  let count = 0;
  for await (const rows of rowsIn(documents, filter, part)) count += rows.length;
  return count;
}

/** Yields the deployments of the kinds in a time range, newest first. */
async function* rowsIn(
  documents: Documents,
  { org, repos, environments, kinds }: KindFilter,
  { gte, lte }: Omit<Part, 'count'>,
): AsyncGenerator<Rows> {
  const where = {
    org,
    ...(repos === null ? {} : { 'origin.repo.id': anyOf(repos) }),
    ...(environments === null ? {} : { environment: anyOf(environments) }),
    deployedAt: { gte, lte },
  };
  const query = { where, order };
  for await (const page of pagesInOrder(documents.collection<DeploymentRow>(countedDeployments.rows), query, PIECE)) {
    yield page.filter(({ doc }) => kinds.includes(doc.kind));
  }
}
