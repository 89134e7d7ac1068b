import { forgetOldest } from '@assurance/kernel';

/** Values that were looked up lately: each for a short time, and no more than so many. */
export class Recent<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly at: number }>();

  constructor(
    private readonly maxAge: number,
    private readonly maxSize: number,
  ) {}

  /**
   * @param now milliseconds that pass evenly, whatever the clock is set to
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
