/**
 * So much may be inside at once: waiting writes, bodies, bytes. Whoever finds it full is turned away rather than queued.
 * What is larger than the whole limit may come in while nothing else is inside: otherwise it never could.
 */
export class Semaphore {
  private used = 0;

  constructor(private readonly most: number) {}

  /** @returns false when there is none left: nothing was taken */
  acquire(amount: number): boolean {
    if (this.used > 0 && this.used + amount > this.most) return false;
    this.used += amount;
    return true;
  }

  /** Gives back what was taken. */
  release(amount: number): void {
    this.used -= amount;
  }
}
