import { forgetOldest } from '@assurance/kernel';

/** A cache of look-ups with a lifetime and a maximum number of entries. */
export class ExpiringCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly at: number }>();

  constructor(
    private readonly maxAge: number,
    private readonly maxSize: number,
  ) {}

  /**
   * @param now milliseconds of a monotonic clock
   */
  get(key: string, now: number): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (now - entry.at < this.maxAge) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: string, value: Value, now: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, at: now });
    forgetOldest(this.entries, this.maxSize);
  }
}
