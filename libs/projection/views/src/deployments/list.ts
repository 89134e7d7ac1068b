import { orderBy } from '@assurance/contracts-events';
import type { Documents, Found, Query } from '@assurance/storage-ports';
import { baseName, replacedBy } from '@assurance/model';
import { EMPTY_PAGE, type PageEnds } from '../beside';
import { type CountedList, countedPage } from '../days/read';
import { oneOrMany, type PageRequest } from '../listing';
import { type Reported, withReports } from './reports';
import {
  countedDeployments,
  type DepartureRow,
  departures,
  deploymentList,
  type DeploymentRow,
  deployments,
} from './rows';

/** The filter of a list of deployments. */
export interface DeploymentFilter {
  readonly org: string;
  /** Ids of repositories; null for all, and for deployments without provenance too. */
  readonly repos: readonly string[] | null;
  /** Ids of environments; null for all. */
  readonly environments: readonly string[] | null;
  /** Epoch seconds, both ends included. */
  readonly start: number;
  readonly end: number;
}

export interface DeploymentPage extends PageEnds {
  readonly rows: readonly DeploymentRow[];
  readonly count: number;
}

/** The counted lists that a filter is made of. */
export function deploymentLists({
  org,
  repos,
  environments,
}: Pick<DeploymentFilter, 'org' | 'repos' | 'environments'>): CountedList[] {
  return (repos ?? [null]).flatMap((repo) =>
    (environments ?? [null]).map((environment) => deploymentList(org, repo, environment)),
  );
}

/** One page of deployments, newest first, and how many there are in all. */
export async function listDeployments(
  documents: Documents,
  { org, repos, environments, start, end }: DeploymentFilter,
  page: PageRequest,
): Promise<DeploymentPage> {
  if (repos?.length === 0 || environments?.length === 0) return { ...EMPTY_PAGE, rows: [], count: 0 };
  const lists = deploymentLists({ org, repos, environments });
  const where: Query['where'] = {
    org,
    ...(repos === null ? {} : { 'origin.repo.id': oneOrMany(repos) }),
    ...(environments === null ? {} : { environment: oneOrMany(environments) }),
  };
  const { found, ...rest } = await countedPage(
    documents,
    countedDeployments,
    { lists, where, window: { start, end } },
    page,
  );
  return { rows: found.map(({ doc }) => doc), ...rest };
}

/** A deployment of a repository, and the artifact that it replaced. */
export interface RepoDeploymentRows {
  readonly row: Reported<DeploymentRow>;
  /** Null if no artifact that left in its snapshot matches. */
  readonly replaced: Reported<DepartureRow> | null;
}

/** Finds what the list of a repository shows beside its rows. */
export async function withReplaced(
  documents: Documents,
  rows: readonly DeploymentRow[],
): Promise<RepoDeploymentRows[]> {
  const found = await Promise.all(rows.map(async (row) => ({ row, replaced: await replacedIn(documents, row) })));
  const reported = await withReports(
    documents,
    found.flatMap(({ row, replaced }) => (replaced === null ? [row] : [row, replaced])),
  );
  return found.map(({ row, replaced }) => ({ row: reported(row), replaced: replaced && reported(replaced) }));
}

async function replacedIn(documents: Documents, row: DeploymentRow): Promise<DepartureRow | null> {
  const { environment, snapshot, origin } = row;
  if (origin === null) return null;
  const rows = documents.collection<DepartureRow>(departures);
  const order = orderBy('-since', 'fingerprint');
  const here = { environment, snapshot };
  const candidates: Found<DepartureRow>[] = [];
  if (origin.template !== null) {
    const where = { ...here, 'origin.flow.id': origin.flow.id, 'origin.template': origin.template };
    candidates.push(...(await rows.find({ where, order, limit: 1 })));
  }
  if (candidates.length === 0 && origin.repo !== null) {
    const where = { ...here, 'origin.repo.id': origin.repo.id, base: baseName(row.name) };
    candidates.push(...(await rows.find({ where, order, limit: 1 })));
  }
  return (
    replacedBy(
      placed(row),
      candidates.map(({ doc }) => placed(doc)),
    )?.row ?? null
  );
}

/** When an artifact whose first flow is this one was last deployed (epoch seconds), null for never. */
export async function lastDeploymentOf(documents: Documents, flow: string): Promise<number | null> {
  const [newest] = await documents.collection<DeploymentRow>(deployments).find({
    where: { 'origin.flow.id': flow },
    order: orderBy('-deployedAt'),
    limit: 1,
  });
  return newest?.doc.deployedAt ?? null;
}

function placed<T extends Pick<DeploymentRow, 'name' | 'origin'>>(row: T) {
  const { name, origin } = row;
  const from =
    origin === null ? null : { flow: origin.flow.id, template: origin.template, repo: origin.repo?.id ?? null };
  return { row, name, origin: from };
}
