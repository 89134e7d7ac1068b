/** The formats of scanner reports. `snyk-results` is the field `snyk_results` that clients send. The others are files that scanners write. */
export type ScanFormat = 'snyk-results' | 'snyk' | 'trivy' | 'grype' | 'sarif';

/** Detects the format of a report by its outermost fields. It returns null for other documents, and for `snyk_results` without findings. */
export function scanFormatOf(document: unknown): ScanFormat | null {
  if (Array.isArray(document)) return document.some(isSnykProject) ? 'snyk' : null;
  if (typeof document !== 'object' || document === null) return null;
  if (isSnykProject(document)) return 'snyk';
  const has = (name: string) => Object.hasOwn(document, name);
  const fields = document as Readonly<Record<string, unknown>>;
  // Accept every schema version here: the reader reports a version that it does not support.
  if (typeof fields['SchemaVersion'] === 'number' && (has('Results') || has('ArtifactName'))) return 'trivy';
  if (Array.isArray(fields['matches']) && (has('descriptor') || has('source'))) return 'grype';
  if (Array.isArray(fields['runs']) && (fields['version'] === '2.1.0' || isSarif(fields['$schema']))) return 'sarif';
  return Array.isArray(fields['results']) && fields['results'].some(hasFindings) ? 'snyk-results' : null;
}

function isSnykProject(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  const { vulnerabilities } = document as Readonly<Record<string, unknown>>;
  return (
    Array.isArray(vulnerabilities) &&
    (Object.hasOwn(document, 'packageManager') || Object.hasOwn(document, 'dependencyCount'))
  );
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
