import { BytesCache, getOrInsert } from '@assurance/kernel';

/** The size of the memory of one collection (bytes). */
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * The caches of this process for the documents of each collection. Each generation of a view and each store has its own collections.
 *
 * @param bytesOf the size of a value (bytes), where it is known without a look at all of it
 */
export function documentMemory<Value extends object | string>(
  bytesOf?: (value: Value) => number,
): (collection: object) => BytesCache<Value> {
  const all = new WeakMap<object, BytesCache<Value>>();
  return (collection) => getOrInsert(all, collection, () => new BytesCache<Value>(BYTES_MAX, bytesOf));
}
