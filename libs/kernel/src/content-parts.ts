import { byteLength, sha256 } from './digest';

/** Where parts end. */
export interface PartBounds {
  /** How many items a part has on average. */
  readonly mean: number;
  /** The most items of a part. */
  readonly items: number;
  /** A part ends at the item whose JSON brings it above this size (bytes). */
  readonly bytes: number;
}

/**
 * Cuts sorted items into parts. A part ends where the digest of an item says so, not at a position: lists that differ in some items share all other
 * parts.
 *
 * @param sorted each item with its canonical JSON
 */
export function contentParts<Item>(
  sorted: Iterable<{ readonly item: Item; readonly json: string }>,
  bounds: PartBounds,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = 0;
  for (const { item, json } of sorted) {
    part.push(item);
    bytes += byteLength(json);
    if (part.length < bounds.items && bytes <= bounds.bytes && !endsPart(json, bounds.mean)) continue;
    parts.push(part);
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function endsPart(json: string, mean: number): boolean {
  return parseInt(sha256(json).slice(0, 6), 16) % mean === 0;
}
