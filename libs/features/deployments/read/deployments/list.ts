import { orderBy } from '@assurance/contracts/events/aggregate';
import { COUNTED_KINDS } from '@assurance/environments/domain/deployment-kind';
import { BATCH } from '@assurance/event-sourcing/projection/batches';
import { EMPTY_PAGE, type PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { type CountedList, countedPage } from '@assurance/event-sourcing/projection/days/read';
import { anyOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { Slices } from '@assurance/kernel';
import { type Documents, pagesAmong, type Query } from '@assurance/storage-ports';
import { type RowWithReport, withReports } from './reports';
import {
  countedDeployments,
  type DepartureRow,
  departures,
  deploymentList,
  type DeploymentRow,
  deployments,
  rowId,
} from './rows';

/** The filter of a list of deployments. */
export interface DeploymentFilter {
  readonly org: string;
  /** Ids of repositories. Null selects all deployments, also deployments without provenance. */
  readonly repos: readonly string[] | null;
  /** Ids of environments. Null selects all. */
  readonly environments: readonly string[] | null;
  /** Epoch seconds, both ends included. */
  readonly start: number;
  readonly end: number;
}

export interface DeploymentPage extends PageEnds {
  readonly rows: readonly DeploymentRow[];
  readonly count: number;
}

/** Returns the counted lists that a filter consists of. */
export function deploymentLists({
  org,
  repos,
  environments,
}: Pick<DeploymentFilter, 'org' | 'repos' | 'environments'>): CountedList[] {
  return (repos ?? [null]).flatMap((repo) =>
    (environments ?? [null]).map((environment) => deploymentList(org, repo, environment)),
  );
}

/** Returns one page of deployments, newest first, and their total number. */
export async function listDeployments(
  documents: Documents,
  { org, repos, environments, start, end }: DeploymentFilter,
  page: PageRequest,
): Promise<DeploymentPage> {
  if (repos?.length === 0 || environments?.length === 0) return { ...EMPTY_PAGE, rows: [], count: 0 };
  const lists = deploymentLists({ org, repos, environments });
  const where: Query['where'] = {
    org,
    ...(repos === null ? {} : { 'origin.repo.id': anyOf(repos) }),
    ...(environments === null ? {} : { environment: anyOf(environments) }),
  };
  const query = { lists, where, window: { start, end } };
  const { documents: rows, ...rest } = await countedPage(documents, countedDeployments, query, page);
  return { rows: rows.map(({ doc }) => doc), ...rest };
}

/** A deployment of a repository, and the artifact that it replaced. */
export interface RepoDeploymentRows {
  readonly row: RowWithReport<DeploymentRow>;
  /** Null if no artifact that left in the same snapshot matches. */
  readonly replaced: RowWithReport<DepartureRow> | null;
}

/** Finds the replaced artifacts and the reports of rows. */
export async function withReplaced(
  documents: Documents,
  rows: readonly DeploymentRow[],
): Promise<RepoDeploymentRows[]> {
  const replaced = await replacedBy(documents, rows);
  const result = rows.map((row) => ({ row, replaced: replaced.get(idOf(row)) ?? null }));
  const shown = result.flatMap(({ row, replaced }) => (replaced === null ? [row] : [row, replaced]));
  const reported = await withReports(documents, shown);
  return result.map(({ row, replaced }) => ({ row: reported(row), replaced: replaced && reported(replaced) }));
}

/** Returns the departures that complete deployments, by deployment id. */
async function replacedBy(
  documents: Documents,
  rows: readonly DeploymentRow[],
): Promise<ReadonlyMap<string, DepartureRow>> {
  const replaced = new Map<string, DepartureRow>();
  const pages = pagesAmong(documents.collection<DepartureRow>(departures), {}, 'completes', rows.map(idOf), BATCH);
  for await (const page of pages) {
    for (const { doc } of page) if (doc.completes !== undefined) replaced.set(doc.completes, doc);
  }
  return replaced;
}

function idOf({ environment, snapshot, fingerprint }: DeploymentRow): string {
  return rowId(environment, snapshot, fingerprint);
}

/** Returns the newest deployment of an artifact to one of some environments. */
export async function newestDeployment(
  documents: Documents,
  environments: readonly string[],
  fingerprint: string,
): Promise<DeploymentRow | null> {
  const rows = documents.collection<DeploymentRow>(deployments);
  const order = orderBy('-snapshot');
  let newest: DeploymentRow | null = null;
  for (const environment of environments) {
    const [document] = await rows.find({ where: { environment, fingerprint }, order, limit: 1 });
    if (document !== undefined && (newest === null || document.doc.deployedAt > newest.deployedAt))
      newest = document.doc;
  }
  return newest;
}

/** Counts deployments to some environments in a window. It counts artifacts with this first flow, and only the kinds that count. */
export async function countOfFlow(
  documents: Documents,
  flow: string,
  {
    environments,
    start,
    end,
  }: { readonly environments: readonly string[]; readonly start: number; readonly end: number },
): Promise<number> {
  const places = new Set(environments);
  const rows = documents.collection<DeploymentRow>(deployments);
  const slices = new Slices();
  let count = 0;
  for (const kind of COUNTED_KINDS) {
    // Each page begins at the last moment of the previous one, because an offset would read all earlier rows again.
    for (let lte = end, skip = 0; ;) {
      const where = { 'origin.flow.id': flow, kind, deployedAt: { gte: start, lte } };
      const results = await rows.find({ where, order: orderBy('-deployedAt'), skip, limit: BATCH });
      count += results.filter(({ doc }) => places.has(doc.environment)).length;
      const last = results.at(-1)?.doc.deployedAt;
      if (results.length < BATCH || last === undefined) break;
      const same = results.filter(({ doc }) => doc.deployedAt === last).length;
      skip = last === lte ? skip + results.length : same;
      lte = last;
      await slices.pause();
    }
  }
  return count;
}

/** Returns when an artifact with this first flow was last deployed (epoch seconds), or null for never. Baselines and restarts do not count. */
export async function lastDeploymentOf(documents: Documents, flow: string): Promise<number | null> {
  const newest = await Promise.all(
    COUNTED_KINDS.map((kind) =>
      documents.collection<DeploymentRow>(deployments).find({
        where: { 'origin.flow.id': flow, kind },
        order: orderBy('-deployedAt'),
        limit: 1,
      }),
    ),
  );
  return newest.flat().reduce<number | null>((last, { doc }) => Math.max(last ?? 0, doc.deployedAt), null);
}
