import { revise, type ListChange } from '@assurance/event-sourcing/projection/days/revisions';
import { mapInSlices } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import type { FingerprintReports } from './reports';
import { countedDeployments, type DeploymentRow, listKey } from './rows';

/**
 * Raises the revision of the days of all lists that contain these rows or may have contained them: the lists of the organization, of the environment
 * and of every repository that reported the fingerprint.
 *
 * The origin of a row is always one of the reports of its fingerprint. So the repositories of these reports are all that ever listed the row, even if
 * a process stopped between a change of the row and the revisions.
 *
 * @param rows rows of one organization
 * @param reports read after the rows were written, so that it contains the report of every earlier move
 */
export async function reviseLists(
  documents: Documents,
  org: string,
  rows: readonly Pick<DeploymentRow, 'environment' | 'fingerprint' | 'deployedAt'>[],
  reports: ReadonlyMap<string, FingerprintReports>,
): Promise<void> {
  /** By repository and environment. The repository null means all rows. */
  const moments = new Map<string | null, Map<string, number[]>>();
  const note = (repo: string | null, { environment, deployedAt }: (typeof rows)[number]): void => {
    const environments = moments.get(repo) ?? new Map<string, number[]>();
    const times = environments.get(environment) ?? [];
    moments.set(repo, environments.set(environment, times));
    times.push(deployedAt);
  };
  await mapInSlices(rows, (row) => {
    note(null, row);
    for (const repo of reports.get(row.fingerprint)?.repos ?? []) note(repo, row);
  });
  const changes = [...moments].flatMap(([repo, environments]): ListChange[] => [
    [listKey(org, repo, null), ...[...environments.values()].flat()],
    ...[...environments].map(([environment, own]): ListChange => [listKey(org, repo, environment), ...own]),
  ]);
  await revise(documents, countedDeployments, changes);
}
