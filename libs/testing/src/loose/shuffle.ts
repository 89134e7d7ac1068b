import { groupBy } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';

type Random = () => number;

/** An integer from 0 to below `end`. */
function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}

/** The same items in another order. */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = below(i + 1, random);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all;
}

/** The same commits with streams in another order, each stream's own order kept. */
export function interleave(commits: readonly Commit[], random: Random): Commit[] {
  const waiting: ReadonlyMap<string, Commit[]> = groupBy(commits, ({ stream }) => stream);
  return shuffle(commits, random).map(({ stream }) => waiting.get(stream)!.shift()!);
}

/**
 * The deliveries of a batch under a promise of at least once: cut into pieces of any size, each given again at once or after later ones, in full or
 * in part. Every commit comes at least twice; whatever comes first of each keeps the order.
 */
export function repeat<T>(batch: readonly T[], random: Random): T[][] {
  const deliveries: T[][] = [];
  let open: T[] = [];
  for (let from = 0; from < batch.length;) {
    const piece = batch.slice(from, from + 1 + below(batch.length - from, random));
    from += piece.length;
    deliveries.push(piece);
    open.push(...piece);
    if (random() < 0.5) continue;
    const part = below(open.length, random);
    deliveries.push(...pieces(open, part, random));
    open = [];
  }
  if (open.length > 0) deliveries.push(...pieces(open, below(open.length, random), random));
  return deliveries;
}

/** Repeats all items in two parts, and sometimes repeats the second part. */
function pieces<T>(items: readonly T[], at: number, random: Random): T[][] {
  const parts = [items.slice(0, at), items.slice(at)].filter(({ length }) => length > 0);
  const last = parts.at(-1);
  return random() < 0.3 && last !== undefined ? [...parts, last] : parts;
}
