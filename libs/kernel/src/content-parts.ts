import { byteLength, sha256 } from './digest';

/** The rules that decide where a part ends. */
export interface PartBounds {
  /** How many items a part has on average. */
  readonly mean: number;
  /** How many items a part has at most. */
  readonly items: number;
  /** A part ends at the item that makes its JSON larger than this (bytes). */
  readonly bytes: number;
}

/**
 * Cuts sorted items into parts. The digest of an item decides whether a part ends there, not its position. Lists that
 * differ in a few items therefore share most parts.
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
