import { SEVERITIES, type Severity } from '@assurance/contracts/vulnerabilities/events';
import { scoreOf } from './cvss';

/** Severity words that databases and scanners use. */
const WORDS = new Map<string, Severity>([
  ...SEVERITIES.map((severity) => [severity, severity] as const),
  ['negligible', 'low'],
  ['minor', 'low'],
  ['moderate', 'medium'],
  ['important', 'high'],
]);

/** Returns 0 for an unknown severity, 1 for none, and up to 5 for critical. */
export function rankOf(severity: Severity | null): number {
  return severity === null ? 0 : SEVERITIES.indexOf(severity) + 1;
}

/** Returns the severity for a word of a database or scanner. It returns null for unknown and other words. */
export function severityOfWord(word: string | null): Severity | null {
  return (word !== null && WORDS.get(word.toLowerCase())) || null;
}

/**
 * Returns the severity of a CVSS score by the qualitative scale.
 *
 * @see https://www.first.org/cvss/v4-0/specification-document section 6
 * @param score from 0 to 10; other numbers are not scores
 * @returns null for numbers that are not scores
 */
export function severityOfScore(score: number): Severity | null {
  if (!(score >= 0 && score <= 10)) return null;
  if (score === 0) return 'none';
  return score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low';
}

/** Returns the severity of the newest CVSS version among the vectors. Version 2 has no severity above high. */
export function severityOfVectors(vectors: readonly string[]): Severity | null {
  const scores = vectors.map(scoreOf).filter((score) => score !== null);
  const [newest] = scores.sort((a, b) => b.version - a.version || b.score - a.score);
  if (newest === undefined) return null;
  const severity = severityOfScore(newest.score);
  return newest.version === 2 && severity === 'critical' ? 'high' : severity;
}
