import type { LineArtifact } from './artifact-line';
import { LineCandidates } from './line-candidates';

/**
 * The rule for replacements in a snapshot: an artifact of the same line replaces an artifact that left in the same snapshot. Each artifact
 * is replaced by at most one and replaces at most one. The same base name has priority over the same template name, and newer artifacts
 * have priority over older ones.
 *
 * @param departures newest start first
 * @param arrivals newest start first
 * @returns the replacement of each artifact that left and was replaced
 */
export function matchReplacements<Departed extends LineArtifact, Arrived extends LineArtifact>(
  departures: readonly Departed[],
  arrivals: readonly Arrived[],
): ReadonlyMap<Departed, Arrived> {
  if (departures.length === 0) return new Map();
  const free = new LineCandidates<Arrived>();
  for (const arrival of arrivals) free.add(arrival);
  const replacements = new Map<Departed, Arrived>();
  for (const take of [free.takeByName, free.takeByTemplate]) {
    for (const departure of departures) {
      const next = replacements.has(departure) ? undefined : take.call(free, departure);
      if (next !== undefined) replacements.set(departure, next);
    }
  }
  return replacements;
}
