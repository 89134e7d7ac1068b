import { createHash } from 'node:crypto';

/** One step from a leaf to the root: the hash of the sibling, and its side. */
export interface Step {
  readonly side: 'left' | 'right';
  readonly hash: string;
}

/** The hash of a leaf's text (RFC 9162, 2.1.1). All hashes in this file are 64 lower-case hexadecimal characters. */
export function leafHash(text: string): string {
  return createHash('sha256').update(Uint8Array.of(0)).update(text).digest('hex');
}

/** Computes the root from the hashes of leaves, or of full subtrees of equal size; the last subtree may be smaller (RFC 9162, 2.1.1). */
export function rootOf(hashes: readonly string[]): string {
  const [only, ...more] = hashes;
  if (only === undefined) throw new RangeError('there is no root over nothing');
  if (more.length === 0) return only;
  const half = halfOf(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)));
}

/** The path from one of the hashes to their root. */
export function pathOf(hashes: readonly string[], index: number): Step[] {
  if (hashes.length <= 1) return [];
  const half = halfOf(hashes.length);
  const [left, right] = [hashes.slice(0, half), hashes.slice(half)];
  return index < half
    ? [...pathOf(left, index), { side: 'right', hash: rootOf(right) }]
    : [...pathOf(right, index - half), { side: 'left', hash: rootOf(left) }];
}

/** Computes the root from a leaf and its path. */
export function rootBy(leaf: string, path: readonly Step[]): string {
  return path.reduce((at, { side, hash }) => (side === 'right' ? nodeHash(at, hash) : nodeHash(hash, at)), leaf);
}

function nodeHash(left: string, right: string): string {
  return createHash('sha256')
    .update(Uint8Array.of(1))
    .update(Buffer.from(left, 'hex'))
    .update(Buffer.from(right, 'hex'))
    .digest('hex');
}

/** The largest power of two below a count of two or more. */
function halfOf(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1));
}
