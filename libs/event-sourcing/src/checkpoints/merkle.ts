import { createHash } from 'node:crypto';

/** One step from a leaf to the root: the hash beside it, and on which side that stands. */
export interface Step {
  readonly side: 'left' | 'right';
  readonly hash: string;
}

/** The hash of a leaf's text (RFC 9162, 2.1.1), 64 lower-case hexadecimal characters as all here. */
export function leafHash(text: string): string {
  return createHash('sha256').update(Uint8Array.of(0)).update(text).digest('hex');
}

/** The root over hashes of leaves, or of full subtrees of one size and a last one that may be smaller (RFC 9162, 2.1.1). */
export function rootOf(hashes: readonly string[]): string {
  const [only, ...more] = hashes;
  if (only === undefined) throw new RangeError('there is no root over nothing');
  if (more.length === 0) return only;
  const half = halfOf(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)));
}

/** The way from one of the hashes up to their root. */
export function pathOf(hashes: readonly string[], index: number): Step[] {
  if (hashes.length <= 1) return [];
  const half = halfOf(hashes.length);
  const [left, right] = [hashes.slice(0, half), hashes.slice(half)];
  return index < half
    ? [...pathOf(left, index), { side: 'right', hash: rootOf(right) }]
    : [...pathOf(right, index - half), { side: 'left', hash: rootOf(left) }];
}

/** The root to which a path leads. */
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
