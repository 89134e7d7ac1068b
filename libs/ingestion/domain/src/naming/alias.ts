import type { Name } from '@assurance/model';

/** The present state of the aggregate that holds a name. */
export interface Holder {
  /** Its present name. */
  readonly name: string;
  /** The seq of its stream. */
  readonly seq: number;
}

/**
 * Whether a name is a mere alias that another may claim: its holder is called otherwise by now. A holder that claimed it for a rename which may
 * still be under way (its stream stands where it stood at the claim) keeps it, as does one that has no commit yet.
 */
export function isAlias(name: string, { at }: Name, holder: Holder | null): boolean {
  return holder !== null && holder.name !== name && holder.seq > (at ?? 0);
}
