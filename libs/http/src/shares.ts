/** Whose share is used up. */
export type LimitScope = 'organization' | 'caller';

/** Who uses a part of a limited amount. */
export interface ShareOwner {
  /** Who holds the organization, however many organizations that is: an id. Before a key is known, the address. */
  readonly holder: string;
  /** Null before a key is known. */
  readonly caller: string | null;
}

/** Why nothing was taken: the whole amount is in use, or the owner has the share that it may have now. */
export type ShareRefusal = 'all' | { readonly whose: LimitScope; readonly limit: number };

/**
 * Divides a limited amount of places or bytes among holders of organizations. A holder that is alone may have a large part. When there are others,
 * it gets more only while it has less than is still free: so what is free is never used up by one holder, or by a few. A caller may have half
 * of what its holder may have. Who uses nothing else is never refused for its share.
 */
export class Shares {
  private used = 0;
  private readonly holders = new Map<string, number>();
  private readonly callers = new Map<string, number>();

  /** @param alone the part that a holder may have while nobody else uses anything: 0 to 1 */
  constructor(
    private readonly most: number,
    private readonly alone: number,
  ) {}

  /**
   * @param growing how much of what the owner has belongs to the one thing that grows by this
   * @returns null when it was taken
   */
  reserve(owner: ShareOwner, amount: number, growing = 0): ShareRefusal | null {
    const refusal = this.refusal(owner, amount, growing);
    if (refusal === null) this.add(owner, amount);
    return refusal;
  }

  /** Takes whatever the owner and others have: of what is there already, and only now counted. */
  add({ holder, caller }: ShareOwner, amount: number): void {
    this.used += amount;
    increase(this.holders, holder, amount);
    if (caller !== null) increase(this.callers, caller, amount);
  }

  /** Returns what was taken. */
  release({ holder, caller }: ShareOwner, amount: number): void {
    this.used -= amount;
    increase(this.holders, holder, -amount);
    if (caller !== null) increase(this.callers, caller, -amount);
  }

  /** Why `take` would take nothing. */
  refusal({ holder, caller }: ShareOwner, amount: number, growing = 0): ShareRefusal | null {
    if (this.used > 0 && this.used + amount > this.most) return 'all';
    const ofHolder = this.holders.get(holder) ?? 0;
    const limit = this.limitOf(ofHolder);
    if (ofHolder > growing && ofHolder + amount > limit) return { whose: 'organization', limit };
    if (caller === null) return null;
    const ofCaller = this.callers.get(caller) ?? 0;
    const half = Math.max(1, Math.floor(limit / 2));
    return ofCaller > growing && ofCaller + amount > half ? { whose: 'caller', limit: half } : null;
  }

  /** How much a holder may have now, of which it has `ofHolder`. */
  private limitOf(ofHolder: number): number {
    if (ofHolder === this.used) return Math.max(1, Math.floor(this.most * this.alone));
    return Math.max(1, Math.floor((this.most - this.used + ofHolder) / 2));
  }
}

function increase(used: Map<string, number>, owner: string, amount: number): void {
  const sum = (used.get(owner) ?? 0) + amount;
  if (sum > 0) used.set(owner, sum);
  else used.delete(owner);
}
