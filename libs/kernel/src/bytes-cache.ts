import { LRUCache } from 'lru-cache';
import { roughBytes } from './rough-bytes';

/** A cache that is bounded by bytes and drops the least recently used entries. Entries larger than the cache are not stored. */
export class BytesCache<Value extends object | string> {
  private readonly known: LRUCache<string, Value>;

  /** @param bytesOf what an entry takes, with its key */
  constructor(
    maxBytes: number,
    bytesOf: (value: Value, key: string) => number = (value, key) => roughBytes(value) + roughBytes(key),
  ) {
    this.known = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value, key) => Math.ceil(bytesOf(value, key)) });
  }

  get(key: string): Value | undefined {
    return this.known.get(key);
  }

  /** Reads an entry without marking it as used. */
  peek(key: string): Value | undefined {
    return this.known.peek(key);
  }

  set(key: string, value: Value): void {
    this.known.set(key, value);
  }

  delete(key: string): void {
    this.known.delete(key);
  }

  clear(): void {
    this.known.clear();
  }
}
