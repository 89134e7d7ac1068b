import type { Holder } from '@assurance/contracts/events/holder';
import type { Name } from '../name';

/**
 * Whether a name is a mere alias that another may claim: its holder is called otherwise by now. A holder that claimed it for a rename which may
 * still be under way (its stream stands where it stood at the claim) keeps it, as does one that has no commit yet.
 */
export function isAlias(name: string, { at }: Name, holder: Holder | null): boolean {
  return holder !== null && holder.name !== name && holder.seq > (at ?? 0);
}
