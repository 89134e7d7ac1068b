import type { Documents } from '@assurance/storage-ports';
import { stamp, type Touched } from '../days/stamps';
import { distinct } from '../batches';
import { reposOf } from './reports';
import { countedDeployments, deploymentList, type DeploymentRow } from './rows';

/** Stamps the days of the lists that a row is in from the beginning: those of its organization and its environment. */
export async function stampDeployments(documents: Documents, rows: readonly DeploymentRow[]): Promise<void> {
  const touched = rows.flatMap(({ org, environment, deployedAt }): Touched[] => [
    [deploymentList(org, null, null).key, deployedAt],
    [deploymentList(org, null, environment).key, deployedAt],
  ]);
  await stamp(documents, countedDeployments.spans, touched);
}

/**
 * Stamps the days of the lists that rows may have come from or gone to when their origin was written. A row's origin is always one of its
 * fingerprint's reports, so the repositories of all of these are all that it ever was listed under, whoever moved it, and also when whoever
 * moved it was stopped before this. Read after the rows are written: what moved a row before that had left its report before.
 */
export async function stampRepositories(documents: Documents, rows: readonly DeploymentRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const repos = await reposOf(documents, first.org, distinct(rows.map(({ fingerprint }) => fingerprint)));
  const touched = rows.flatMap(({ org, environment, fingerprint, deployedAt }) =>
    [...(repos.get(fingerprint) ?? [])].flatMap((repo): Touched[] => [
      [deploymentList(org, repo, null).key, deployedAt],
      [deploymentList(org, repo, environment).key, deployedAt],
    ]),
  );
  await stamp(documents, countedDeployments.spans, touched);
}
