/** The half-life of an owner's use of threads (milliseconds). */
const HALF_LIFE_MS = 10_000;
/** The assumed use of a job while its owner is unknown (milliseconds). */
const USUAL_MS = 20;
/** The weight of a new job in an owner's average. */
const WEIGHT = 0.2;
/** If there are more owners, the oldest owners without waiting items are forgotten. */
const OWNERS_MAX = 10_000;

interface Line<Item> {
  readonly items: Item[];
  /** Thread time in use, decayed as of `at` (milliseconds). */
  used: number;
  at: number;
  average: number;
}

/**
 * A queue with one line for each owner. The owner with the lowest recent use comes next. Owners with equal demand get equal shares,
 * and an owner with little demand does not wait for the lines of others.
 */
export class FairQueue<Item> {
  private readonly lines = new Map<string, Line<Item>>();
  private waitingCount = 0;

  /** @param now milliseconds; never runs backwards */
  constructor(private readonly now: () => number) {}

  /** The number of waiting items of all owners. */
  get size(): number {
    return this.waitingCount;
  }

  /** The waiting items of one owner, oldest first. */
  itemsOf(owner: string): readonly Item[] {
    return this.lines.get(owner)?.items ?? [];
  }

  /** Estimates how long the newest item of an owner waits for the owner's other items (milliseconds). */
  expectedWait(owner: string): number {
    const line = this.lines.get(owner);
    return line === undefined ? 0 : line.items.length * line.average;
  }

  push(owner: string, item: Item): void {
    this.line(owner).items.push(item);
    this.waitingCount += 1;
  }

  /** Puts an item back before all others of its owner. */
  putBack(owner: string, item: Item): void {
    this.line(owner).items.unshift(item);
    this.waitingCount += 1;
  }

  /** The owner with the lowest recent use among those with waiting items that `mayTake` accepts; null if there is none. */
  nextOwner(mayTake: (owner: string) => boolean): string | null {
    let next: string | null = null;
    let least = Infinity;
    for (const [owner, { items }] of this.lines) {
      if (items.length === 0 || !mayTake(owner)) continue;
      const usedSlots = this.usedBy(owner);
      if (usedSlots < least) [next, least] = [owner, usedSlots];
    }
    return next;
  }

  dequeue(owner: string): Item | undefined {
    const item = this.lines.get(owner)?.items.shift();
    if (item !== undefined) this.waitingCount -= 1;
    return item;
  }

  /** Takes the newest item of an owner. */
  takeNewest(owner: string): Item | undefined {
    const item = this.lines.get(owner)?.items.pop();
    if (item !== undefined) this.waitingCount -= 1;
    return item;
  }

  /** Takes one item, wherever it is in its owner's line. */
  remove(owner: string, item: Item): void {
    const items = this.lines.get(owner)?.items ?? [];
    const at = items.indexOf(item);
    if (at === -1) return;
    items.splice(at, 1);
    this.waitingCount -= 1;
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const all = [...this.lines.values()].flatMap(({ items }) => items.splice(0));
    this.waitingCount = 0;
    return all;
  }

  /** Charges an owner for a job (milliseconds of a thread). */
  charge(owner: string, ms: number): void {
    const line = this.line(owner);
    line.used = this.usedBy(owner) + ms;
    line.at = this.now();
    line.average += WEIGHT * (ms - line.average);
    // Moves the owner to the end: among owners with equal use, the one that was served longest ago comes first.
    this.lines.delete(owner);
    this.lines.set(owner, line);
    this.forget();
  }

  /** The recent use of an owner (milliseconds of a thread). */
  usedBy(owner: string): number {
    const line = this.lines.get(owner);
    return line === undefined ? 0 : line.used * 0.5 ** ((this.now() - line.at) / HALF_LIFE_MS);
  }

  private line(owner: string): Line<Item> {
    const existing = this.lines.get(owner);
    if (existing !== undefined) return existing;
    const created = { items: [], used: 0, at: this.now(), average: USUAL_MS };
    this.lines.set(owner, created);
    return created;
  }

  private forget(): void {
    for (const [owner, { items }] of this.lines) {
      if (this.lines.size <= OWNERS_MAX) return;
      if (items.length === 0) this.lines.delete(owner);
    }
  }
}
