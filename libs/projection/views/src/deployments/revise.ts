import { inSlices, mapSteps } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { revise, type Touched } from '../days/revisions';
import type { Said } from './reports';
import { QUARTER } from '../figures/rows';
import { countedDeployments, deploymentList, type DeploymentRow } from './rows';

/** Raises the revision of the days of all lists that rows are in, those of organization and environment too. */
export async function reviseArrived(
  documents: Documents,
  rows: readonly DeploymentRow[],
  said: ReadonlyMap<string, Said>,
): Promise<void> {
  await reviseLists(documents, rows, (row) => [...listsOf(row, null), ...repositoryLists(row, said)]);
}

/** Raises the revision of the days of the lists that rows may have come from or gone to when their origin was written, and of those that tell of it. */
export async function reviseMoved(
  documents: Documents,
  rows: readonly DeploymentRow[],
  said: ReadonlyMap<string, Said>,
): Promise<void> {
  await reviseLists(documents, rows, (row) => [...listsOf(row, null), ...repositoryLists(row, said)]);
}

async function reviseLists(
  documents: Documents,
  rows: readonly DeploymentRow[],
  lists: (row: DeploymentRow) => Touched[],
): Promise<void> {
  const touched = await inSlices(mapSteps(rows, lists));
  await revise(documents, countedDeployments.periods, touched.flat(), QUARTER);
}

/**
 * A row's origin is always one of its fingerprint's reports, so the repositories of all of these are all that it ever was listed under, whoever
 * moved it, and also when whoever moved it was stopped before this.
 *
 * @param said what was read after the rows were written: what moved a row before that had left its report before
 */
function repositoryLists(row: DeploymentRow, said: ReadonlyMap<string, Said>): Touched[] {
  return [...(said.get(row.fingerprint)?.repos ?? [])].flatMap((repo) => listsOf(row, repo));
}

function listsOf({ org, environment, deployedAt }: DeploymentRow, repo: string | null): Touched[] {
  return [
    [deploymentList(org, repo, null).key, deployedAt],
    [deploymentList(org, repo, environment).key, deployedAt],
  ];
}
