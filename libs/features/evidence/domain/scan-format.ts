/** Reports of scanners: `snyk-results` is what clients send in `snyk_results`, the others are files as the scanners write them. */
export type ScanFormat = 'snyk-results' | 'snyk' | 'trivy' | 'grype' | 'sarif';

/** The format of a report, by its outermost fields; null for other documents, and for `snyk_results` without any finding. */
export function scanFormatOf(document: unknown): ScanFormat | null {
  const value: unknown = Array.isArray(document) ? document[0] : document;
  if (typeof value !== 'object' || value === null) return null;
  const has = (name: string) => Object.hasOwn(value, name);
  const fields = value as Readonly<Record<string, unknown>>;
  if (Array.isArray(fields['vulnerabilities']) && (has('packageManager') || has('dependencyCount'))) return 'snyk';
  if (Array.isArray(document)) return null;
  // Also in versions that are not read: that is told then.
  if (typeof fields['SchemaVersion'] === 'number' && (has('Results') || has('ArtifactName'))) return 'trivy';
  if (Array.isArray(fields['matches']) && (has('descriptor') || has('source'))) return 'grype';
  if (Array.isArray(fields['runs']) && (fields['version'] === '2.1.0' || isSarif(fields['$schema']))) return 'sarif';
  return Array.isArray(fields['results']) && fields['results'].some(hasFindings) ? 'snyk-results' : null;
}

function isSarif(schema: unknown): boolean {
  return typeof schema === 'string' && schema.includes('sarif');
}

/** Fields of `snyk_results` with findings. */
export const SNYK_LISTS = ['critical', 'high', 'medium', 'low'] as const;

function hasFindings(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !Object.hasOwn(result, 'high_count')) return false;
  const lists = result as Readonly<Record<string, unknown>>;
  return SNYK_LISTS.some((name) => Array.isArray(lists[name]) && lists[name].length > 0);
}
