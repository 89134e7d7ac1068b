import { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } from 'ae-cvss-calculator';

const PREFIXES = [
  { prefix: 'CVSS:4.0/', make: (vector: string) => new Cvss4P0(vector) },
  { prefix: 'CVSS:3.1/', make: (vector: string) => new Cvss3P1(vector) },
  { prefix: 'CVSS:3.0/', make: (vector: string) => new Cvss3P0(vector) },
  { prefix: '', make: (vector: string) => new Cvss2(vector) },
] as const;

/** Metrics with their values, separated by slashes. All CVSS versions use this form. */
const METRICS = /^[A-Za-z]{1,4}:[A-Za-z]{1,6}(?:\/[A-Za-z]{1,4}:[A-Za-z]{1,6})*$/;
/** The longest vector that is read (UTF-16 units). A CVSS 4.0 vector with all metrics has 190. */
const VECTOR_LENGTH = 300;

export interface CvssScore {
  /** 2, 3 or 4. */
  readonly version: number;
  /** From 0 to 10. */
  readonly score: number;
}

/**
 * Computes the score of a CVSS vector of version 2, 3 or 4, with the formula that FIRST published.
 *
 * @see https://www.first.org/cvss/
 * @returns null for any other text, and for vectors without all base metrics
 */
export function scoreOf(vector: string): CvssScore | null {
  if (vector.length > VECTOR_LENGTH) return null;
  const kind = PREFIXES.find(({ prefix }) => vector.startsWith(prefix));
  if (kind === undefined || !METRICS.test(vector.slice(kind.prefix.length))) return null;
  const version = Number(kind.prefix.slice('CVSS:'.length, 'CVSS:'.length + 1)) || 2;
  try {
    const read = kind.make(vector);
    return read.isBaseFullyDefined() ? { version, score: read.calculateScores().overall } : null;
  } catch {
    // The library throws for metrics and values that do not exist.
    return null;
  }
}
