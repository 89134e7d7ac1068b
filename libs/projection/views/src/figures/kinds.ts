import type { DeploymentKind } from '@assurance/model';
import { type Documents, foundPages } from '@assurance/storage-ports';
import { periodOf, QUARTER, within } from '../days/periods';
import { deploymentLists, type DeploymentFilter, type DeploymentPage } from '../deployments/list';
import { countedDeployments, type DeploymentRow } from '../deployments/rows';
import { oneOrMany, type PageRequest } from '../listing';
import { type Day, daysRead, quartersRead, wholeOf } from './read';
import type { Figures } from './rows';

const PIECE = 1_000;
/** Days with more deployments are read by quarters of an hour. */
const MANY = 1_000;

/** A filter that has some kinds alone. */
export interface KindFilter extends DeploymentFilter {
  readonly kinds: readonly DeploymentKind[];
}

/** Some time within the window, both ends included, and how many deployments of the kinds it has. */
interface Part {
  readonly gte: number;
  readonly lte: number;
  readonly count: number;
}

/**
 * One page of deployments of some kinds, newest first, and how many there are in all. Figures of days have counts of kinds, so rows are read only in the
 * parts of days that the page shows, and in the two quarters of an hour that the window cuts.
 */
export async function listKinds(
  documents: Documents,
  filter: KindFilter,
  { page, perPage }: PageRequest,
): Promise<DeploymentPage> {
  if (filter.repos?.length === 0 || filter.environments?.length === 0) return { rows: [], count: 0 };
  const parts = await partsOf(documents, filter);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const rows: DeploymentRow[] = [];
  let skip = (page - 1) * perPage;
  for (const part of parts) {
    if (rows.length >= perPage) break;
    if (skip >= part.count) {
      skip -= part.count;
      continue;
    }
    for await (const some of rowsIn(documents, filter, part)) {
      const shown = some.slice(skip, skip + perPage - rows.length);
      skip = Math.max(0, skip - some.length);
      rows.push(...shown);
      if (rows.length >= perPage) break;
    }
  }
  return { rows, count };
}

/** The parts of the window that have such deployments, newest first. */
async function partsOf(documents: Documents, filter: KindFilter): Promise<Part[]> {
  const { start, end, kinds } = filter;
  const countOf = (figures: Figures) => kinds.reduce((sum, kind) => sum + (figures.kinds[kind] ?? 0), 0);
  /** By their beginnings: whole days, or quarters of an hour. */
  const counts = new Map<number, { readonly to: number; count: number }>();
  const add = (from: number, to: number, count: number) => {
    const known = counts.get(from);
    counts.set(from, { to, count: count + (known?.to === to ? known.count : 0) });
  };
  const lists = new Map(deploymentLists(filter).map((list) => [list.key, list]));
  const days = new Map<number, Figures[]>();
  const read: { readonly at: number; readonly day: Day }[] = [];
  for await (const { day, stored } of daysRead(documents, lists, start, end)) {
    const { at } = day.period;
    days.set(at, [...(days.get(at) ?? []), await wholeOf(day, stored)]);
    read.push({ at, day });
  }
  const isCut = (at: number) => periodOf(0, at).from < start || periodOf(0, at).to > end;
  const isLarge = (at: number) =>
    (days.get(at) ?? []).reduce((sum, { kinds: all }) => sum + Object.values(all).reduce((a, b) => a + b, 0), 0) > MANY;
  for (const [at, figures] of days) {
    const { from, to } = periodOf(0, at);
    if (!isCut(at) && !isLarge(at)) for (const one of figures) add(from, to, countOf(one));
  }
  for (const { at, day } of read) {
    if (!isCut(at) && !isLarge(at)) continue;
    const { from } = periodOf(0, at);
    for (const [quarter, figures] of Object.entries(await quartersRead(day))) {
      const begin = from + Number(quarter) * QUARTER;
      add(begin, begin + QUARTER, countOf(figures));
    }
  }
  const parts: Part[] = [];
  for (const [from, { to, count }] of [...counts].sort(([a], [b]) => b - a)) {
    if (count === 0 || from > end || to <= start) continue;
    const part = { gte: Math.max(from, start), lte: Math.min(within({ from, to }).lte, end) };
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

/** The deployments of the kinds in some time, newest first. */
async function* rowsIn(
  documents: Documents,
  { org, repos, environments, kinds }: KindFilter,
  { gte, lte }: Omit<Part, 'count'>,
): AsyncGenerator<readonly DeploymentRow[]> {
  const where = {
    org,
    ...(repos === null ? {} : { 'origin.repo.id': oneOrMany(repos) }),
    ...(environments === null ? {} : { environment: oneOrMany(environments) }),
    deployedAt: { gte, lte },
  };
  const query = { where, order: countedDeployments.order };
  for await (const found of foundPages(documents.collection<DeploymentRow>(countedDeployments.rows), query, PIECE)) {
    yield found.map(({ doc }) => doc).filter(({ kind }) => kinds.includes(kind));
  }
}
