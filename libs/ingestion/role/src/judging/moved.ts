import { provenances } from '@assurance/model';
import { mapSteps, Slices, type Steps } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { PROVENANCE_MAX } from './facts';

/** Fingerprints in one count. */
const GROUP = 100;

/**
 * Finds the fingerprints with more provenance than was recorded. Provenance is only added, so comparing counts is enough, and one count
 * serves a whole group. Usually nothing changed.
 *
 * @param recorded in how many flows and trails each was known then, at least one of them
 * @returns in how many it is known now, for the changed ones
 */
export async function movedOf(
  documents: Documents,
  org: string,
  recorded: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const known = documents.collection(provenances);
  const moved = new Map<string, number>();
  const all = [...recorded.keys()];
  const slices = new Slices();
  for (let i = 0; i < all.length; i += GROUP) {
    await slices.pause();
    const group = all.slice(i, i + GROUP);
    const then = group.reduce((sum, fingerprint) => sum + (recorded.get(fingerprint) ?? 0), 0);
    if ((await known.count({ org, fingerprint: { in: group } })) === then) continue;
    for (const fingerprint of group) {
      const now = Math.min(await known.count({ org, fingerprint }), PROVENANCE_MAX);
      if (now > (recorded.get(fingerprint) ?? 0)) moved.set(fingerprint, now);
    }
  }
  return moved;
}

/** The lowest recorded count of each fingerprint: it may run under several names, each with its own start. */
export function* leastKnown(
  artifacts: Iterable<{ readonly fingerprint: string; readonly known: number }>,
): Steps<Map<string, number>> {
  const least = new Map<string, number>();
  yield* mapSteps(artifacts, ({ fingerprint, known }) => {
    if (fingerprint !== '') least.set(fingerprint, Math.min(known, least.get(fingerprint) ?? known));
  });
  return least;
}
