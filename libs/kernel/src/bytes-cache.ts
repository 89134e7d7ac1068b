import { LRUCache } from 'lru-cache';
import { roughBytes } from './rough-bytes';

/** A cache that is bounded by bytes and drops the least recently used entries. Entries larger than the cache are not stored. */
export class BytesCache<Value extends object | string> {
  private readonly entries: LRUCache<string, Value>;

  /** @param bytesOf the size of an entry, with its key (bytes) */
  constructor(
    maxBytes: number,
    bytesOf: (value: Value, key: string) => number = (value, key) => roughBytes(value) + roughBytes(key),
  ) {
    this.entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: (value, key) => Math.ceil(bytesOf(value, key)) });
  }

  get(key: string): Value | undefined {
    return this.entries.get(key);
  }

  /** Reads an entry without marking it as used. */
  peek(key: string): Value | undefined {
    return this.entries.peek(key);
  }

  set(key: string, value: Value): void {
    this.entries.set(key, value);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
