import { type Fields, listOf, numberOf, recordOf } from './unknown-values';

/**
 * The text for an attestation in which nothing was checked: the absence of failures is then no proof. Null if there is a result.
 *
 * @param type the type of the attestation
 */
export function silenceOf(type: string, { junit_results, snyk_results }: Fields): string | null {
  if (type === 'junit') {
    const ran = listOf(junit_results).some((row) => (numberOf(row['total']) ?? 0) > (numberOf(row['skipped']) ?? 0));
    return ran ? null : 'No test ran';
  }
  if (type === 'snyk') return listOf(recordOf(snyk_results)['results']).length > 0 ? null : 'No result';
  return null;
}
