import { LRUCache } from 'lru-cache';
import { roughBytes } from './rough-bytes';

/**
 * What was read or computed lately, up to so many bytes: what was used longest ago is forgotten first. What is larger than all that may be
 * remembered is not remembered.
 */
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

  /** Without using it: what is only ever peeked at is forgotten in the order in which it was set. */
  peek(key: string): Value | undefined {
    return this.known.peek(key);
  }

  set(key: string, value: Value): void {
    this.known.set(key, value);
  }

  delete(key: string): void {
    this.known.delete(key);
  }
}
