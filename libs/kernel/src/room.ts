/**
 * So much may be inside at once: waiting writes, bodies, bytes. Whoever finds it full is turned away rather than queued.
 * What is larger than the whole room may come in while nothing else is inside: otherwise it never could.
 */
export class Room {
  private used = 0;

  constructor(private readonly most: number) {}

  /** @returns false when there is no room: nothing was taken */
  take(amount: number): boolean {
    if (this.used > 0 && this.used + amount > this.most) return false;
    this.used += amount;
    return true;
  }

  /** Gives back what was taken. */
  leave(amount: number): void {
    this.used -= amount;
  }
}
