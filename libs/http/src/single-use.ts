/** How many of the newest ids are remembered at least; twice as many at most, some 60 bytes each. */
const REMEMBERED = 250_000;

/** Ensures that an id is used only once. Each id comes with the time at which it was made. */
export class SingleUse {
  private currentIds = new Set<string>();
  private previousIds = new Set<string>();
  /** The newest time among the ids of each set. */
  private currentNewest = -Infinity;
  private previousNewest = -Infinity;
  private rotatedAt = -Infinity;
  /** Ids of this time and earlier are forgotten, so all of them are refused. */
  private forgottenUntil = -Infinity;

  /**
   * @param validMs for how long an id is checked, from its first use on (milliseconds); callers refuse older ids
   * @param maxRemembered how many ids are remembered at least
   */
  constructor(
    private readonly validMs: number,
    private readonly maxRemembered = REMEMBERED,
  ) {}

  /**
   * Uses an id.
   *
   * @param at when it was made: milliseconds
   * @param now milliseconds
   * @returns false if it was used before, or is too old to be remembered
   */
  use(id: string, at: number, now: number): boolean {
    if (at <= this.forgottenUntil || this.currentIds.has(id) || this.previousIds.has(id)) return false;
    if (this.currentIds.size >= this.maxRemembered) this.rotate(now, this.previousNewest);
    else if (now - this.rotatedAt >= this.validMs) this.rotate(now, -Infinity);
    this.currentIds.add(id);
    this.currentNewest = Math.max(this.currentNewest, at);
    return true;
  }

  private rotate(now: number, forgotten: number): void {
    this.forgottenUntil = Math.max(this.forgottenUntil, forgotten);
    [this.previousIds, this.previousNewest] = [this.currentIds, this.currentNewest];
    [this.currentIds, this.currentNewest] = [new Set(), -Infinity];
    this.rotatedAt = now;
  }
}
