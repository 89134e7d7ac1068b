/** Removes the oldest entries until at most `most` are left. A Map and a Set keep the order of insertion. */
export function forgetOldest<K>(
  remembered: Pick<Map<K, unknown>, 'size' | 'delete'> & { keys(): Iterable<K> },
  most: number,
): void {
  if (remembered.size <= most) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    if (remembered.size <= most) return;
  }
}
