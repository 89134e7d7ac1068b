/** Removes the oldest entries until at most `maxEntries` are left. A Map and a Set keep the order of insertion. */
export function forgetOldest<K>(
  cache: Pick<Map<K, unknown>, 'size' | 'delete'> & { keys(): Iterable<K> },
  maxEntries: number,
): void {
  if (cache.size <= maxEntries) return;
  for (const oldest of cache.keys()) {
    cache.delete(oldest);
    if (cache.size <= maxEntries) return;
  }
}
