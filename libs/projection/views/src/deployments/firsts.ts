import { grouped } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { batches, distinct } from '../batches';
import type { Rows } from './rows-of';
import { type DeploymentRow, deployments } from './rows';

/**
 * Marks the rows of fingerprints that had never been deployed to their environment before. All rows of an environment come from one stream, in
 * order, so those of earlier snapshots are written or among these, and the same event always makes the same rows.
 */
export async function withFirsts(documents: Documents, rows: Rows<DeploymentRow>): Promise<Rows<DeploymentRow>> {
  const first = new Map<string, number>();
  const note = (row: DeploymentRow) => first.set(place(row), Math.min(row.snapshot, first.get(place(row)) ?? Infinity));
  for (const [environment, own] of grouped([...rows.values()], (row) => row.environment)) {
    for (const row of own) note(row);
    for (const some of batches(distinct(own.map(({ fingerprint }) => fingerprint)))) {
      const where = { environment, firstOf: { in: some } };
      // One a fingerprint at most.
      const known = await documents.collection(deployments).find({ where, limit: some.length });
      for (const { doc } of known) note(doc);
    }
  }
  const marked = (row: DeploymentRow) => ({ ...row, firstOf: row.fingerprint });
  return new Map([...rows].map(([id, row]) => [id, row.snapshot === first.get(place(row)) ? marked(row) : row]));
}

const place = ({ environment, fingerprint }: DeploymentRow): string => `${environment}/${fingerprint}`;
