import { Slices } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { type DeploymentRow, deployments, type Rows } from './rows';

/** Pairs of an environment and a fingerprint in one query: engines look each of them up. */
const PAIRS_MAX = 250;

/**
 * Marks the rows of fingerprints that had never been deployed to their environment before. All rows of an environment come from one stream, in
 * order, so those of earlier snapshots are written or among these, and the same event always makes the same rows.
 */
export async function withFirsts(
  documents: Documents,
  org: string,
  rows: Rows<DeploymentRow>,
): Promise<Rows<DeploymentRow>> {
  /** By environment and fingerprint. */
  const first = new Map<string, Map<string, number>>();
  const firstOf = ({ environment, fingerprint }: DeploymentRow) => first.get(environment)?.get(fingerprint);
  const note = (row: DeploymentRow): void => {
    const own = first.get(row.environment) ?? new Map<string, number>();
    own.set(row.fingerprint, Math.min(row.snapshot, own.get(row.fingerprint) ?? Infinity));
    first.set(row.environment, own);
  };
  for (const row of rows.values()) note(row);
  const slices = new Slices();
  // Nothing was deployed before the first snapshot.
  const later = [...rows.values()].filter(({ snapshot }) => snapshot > 1);
  for (const [environments, fingerprints] of questions(later)) {
    await slices.pause();
    const where = { org, first: true, environment: { in: [...environments] }, fingerprint: { in: [...fingerprints] } };
    // One of each fingerprint in each environment at most, so this is never a full page, which may have to wait for rows to be written.
    const known = await documents.collection(deployments).find({ where, limit: PAIRS_MAX + 1 });
    for (const { doc } of known) if (firstOf(doc) !== undefined) note(doc);
  }
  const marked = (row: DeploymentRow) => ({ ...row, first: true as const });
  return new Map([...rows].map(([id, row]) => [id, row.snapshot === firstOf(row) ? marked(row) : row]));
}

/** Environments and fingerprints that one query asks for together, in any combination. */
function* questions(rows: Iterable<DeploymentRow>): Generator<readonly [Set<string>, Set<string>]> {
  let [environments, fingerprints] = [new Set<string>(), new Set<string>()];
  for (const { environment, fingerprint } of rows) {
    const more = environments.size + (environments.has(environment) ? 0 : 1);
    if (more * (fingerprints.size + 1) > PAIRS_MAX) {
      yield [environments, fingerprints];
      [environments, fingerprints] = [new Set(), new Set()];
    }
    environments.add(environment);
    fingerprints.add(fingerprint);
  }
  if (environments.size > 0) yield [environments, fingerprints];
}
