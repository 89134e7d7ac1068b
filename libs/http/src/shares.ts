/** Limits the amount that each owner uses. A larger amount than the limit is accepted only while the owner uses nothing else. */
export class Shares {
  private readonly used = new Map<string, number>();

  constructor(readonly each: number) {}

  /**
   * @param mine how much of what the owner has belongs to the one thing that grows by this
   * @returns false when the owner has its share: nothing was taken
   */
  take(owner: string, amount: number, mine = 0): boolean {
    const used = this.used.get(owner) ?? 0;
    if (used > mine && used + amount > this.each) return false;
    this.used.set(owner, used + amount);
    return true;
  }

  /** Returns what was taken. */
  leave(owner: string, amount: number): void {
    const left = (this.used.get(owner) ?? 0) - amount;
    if (left > 0) this.used.set(owner, left);
    else this.used.delete(owner);
  }
}
