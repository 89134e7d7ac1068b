/**
 * Limits the amount that is in use at the same time: waiting writes, bodies, bytes. A request beyond the limit is refused, not queued. An
 * amount larger than the whole limit is accepted only while nothing else is in use; otherwise it could never be accepted.
 */
export class Semaphore {
  private usedPermits = 0;

  constructor(private readonly maxPermits: number) {}

  /** @returns false if the limit does not allow the amount; nothing is taken then */
  acquire(amount: number): boolean {
    if (this.usedPermits > 0 && this.usedPermits + amount > this.maxPermits) return false;
    this.usedPermits += amount;
    return true;
  }

  release(amount: number): void {
    this.usedPermits -= amount;
  }
}
