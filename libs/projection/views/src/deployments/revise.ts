import { inSlices, mapSteps } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { revise, type Touched } from '../days/revisions';
import type { Said } from './reports';
import { countedDeployments, type DeploymentRow, listKey } from './rows';

/**
 * Raises the revision of the days of all lists that contain these rows or may have contained them: those of the organization, of the environment
 * and of every repository that reported the fingerprint.
 */
export async function reviseLists(
  documents: Documents,
  rows: readonly DeploymentRow[],
  said: ReadonlyMap<string, Said>,
): Promise<void> {
  const listed = (row: DeploymentRow) => [...listsOf(row, null), ...repositoryLists(row, said)];
  const touched = await inSlices(mapSteps(rows, listed));
  await revise(documents, countedDeployments, touched.flat());
}

/**
 * A row's origin is always one of the reports of its fingerprint. So the repositories of these reports are all that ever listed the row, even if a
 * process stopped between moving the row and raising the revisions.
 *
 * @param said read after the rows were written, so that it contains the report of every earlier move
 */
function repositoryLists(row: DeploymentRow, said: ReadonlyMap<string, Said>): Touched[] {
  return [...(said.get(row.fingerprint)?.repos ?? [])].flatMap((repo) => listsOf(row, repo));
}

function listsOf({ org, environment, deployedAt }: DeploymentRow, repo: string | null): Touched[] {
  return [
    [listKey(org, repo, null), deployedAt],
    [listKey(org, repo, environment), deployedAt],
  ];
}
