import type { Silence } from '../../package/manifest';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The kind of an empty result, if an attestation checked nothing: a test run without tests, or a scan without results. Null if there is a result.
 *
 * @param payload the recorded payload
 */
export function emptyResultOf(type: string, payload: Fields): Silence | null {
  if (type === 'junit') {
    const suites = listOf(payload['junit_results']);
    return suites.every(({ total, skipped }) => !(numberOf(total) - numberOf(skipped) > 0)) ? 'no test ran' : null;
  }
  if (type === 'snyk') {
    const { results } = (payload['snyk_results'] ?? {}) as Fields;
    return listOf(results).length === 0 ? 'no result' : null;
  }
  return null;
}

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
