/** The kind of user that has used up its share. */
export type LimitScope = 'organization' | 'caller';

/** Who uses a part of a limited amount. */
export interface ShareOwner {
  /** The id of the holder, who may have several organizations. Before the key is checked, the address of the caller. */
  readonly holder: string;
  /** Null before a key is known. */
  readonly caller: string | null;
}

/** Why nothing was reserved: the whole amount is in use, or the owner uses its whole share. */
export type ShareRefusal = 'all' | { readonly whose: LimitScope; readonly limit: number };

/**
 * Divides a limited amount of places or bytes among holders of organizations. A holder that is alone may use a large
 * part. When there are others, it gets more only while it uses less than is still free, so that neither one holder nor
 * a few use up the rest. A caller may use half of what its holder may use. A holder that uses nothing yet is never
 * refused because of its share.
 */
export class Shares {
  private usedAmount = 0;
  private readonly holders = new Map<string, number>();
  private readonly callers = new Map<string, number>();

  /** @param partAlone the part that a holder may have while nobody else uses anything: 0 to 1 */
  constructor(
    private readonly capacity: number,
    private readonly partAlone: number,
  ) {}

  /**
   * @param growing how much of the owner's present use belongs to the same request
   * @returns null if the amount was reserved
   */
  reserve(owner: ShareOwner, amount: number, growing = 0): ShareRefusal | null {
    const refusal = this.refusal(owner, amount, growing);
    if (refusal === null) this.add(owner, amount);
    return refusal;
  }

  /** Reserves an amount without checking limits. Use it for something that exists already and is counted only now. */
  add({ holder, caller }: ShareOwner, amount: number): void {
    this.usedAmount += amount;
    increase(this.holders, holder, amount);
    if (caller !== null) increase(this.callers, caller, amount);
  }

  /** Releases a reserved amount. */
  release({ holder, caller }: ShareOwner, amount: number): void {
    this.usedAmount -= amount;
    increase(this.holders, holder, -amount);
    if (caller !== null) increase(this.callers, caller, -amount);
  }

  /** Why `reserve` would reserve nothing; null if it would reserve the amount. */
  refusal({ holder, caller }: ShareOwner, amount: number, growing = 0): ShareRefusal | null {
    if (this.usedAmount > 0 && this.usedAmount + amount > this.capacity) return 'all';
    const ofHolder = this.holders.get(holder) ?? 0;
    const limit = this.limitOf(ofHolder);
    if (ofHolder > growing && ofHolder + amount > limit) return { whose: 'organization', limit };
    if (caller === null) return null;
    const ofCaller = this.callers.get(caller) ?? 0;
    const half = Math.max(1, Math.floor(limit / 2));
    return ofCaller > growing && ofCaller + amount > half ? { whose: 'caller', limit: half } : null;
  }

  /** How much a holder may use now. It uses `ofHolder` already. */
  private limitOf(ofHolder: number): number {
    if (ofHolder === this.usedAmount) return Math.max(1, Math.floor(this.capacity * this.partAlone));
    return Math.max(1, Math.floor((this.capacity - this.usedAmount + ofHolder) / 2));
  }
}

function increase(used: Map<string, number>, owner: string, amount: number): void {
  const sum = (used.get(owner) ?? 0) + amount;
  if (sum > 0) used.set(owner, sum);
  else used.delete(owner);
}
