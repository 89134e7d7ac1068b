import { actorsOf } from '@assurance/access/lookups/actors';
import type { VulnerabilityList } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import type { Documents } from '@assurance/storage-ports';
import type { ImportRow } from './vulnerabilities/rows';

/**
 * Describes the newest import, in the form of the API.
 *
 * @param documents the documents of aggregate states
 */
export async function lastImportOf(
  documents: Documents,
  row: ImportRow | null,
): Promise<VulnerabilityList['last_import']> {
  if (row === null) return null;
  const { filename, sha256, at, by, vulnerabilities, statements, unread, unknownEcosystems = [] } = row;
  const imported_by = await actorsOf(documents)(by);
  const counts = { vulnerabilities, statements, unread, unknown_ecosystems: unknownEcosystems };
  return { filename, sha256, imported_at: at / 1_000, imported_by, ...counts };
}
