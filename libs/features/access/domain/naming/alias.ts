import type { Holder } from '@assurance/contracts/events/holder';
import type { Name } from '../name';

/**
 * Whether a name is only an alias, which another aggregate may claim: its holder has another name now. A holder keeps the name if it has no commit
 * yet. It also keeps a name that it claimed for a rename if its stream has no new commit since the claim, because the rename may still be in
 * progress.
 */
export function isAlias(name: string, { at }: Name, holder: Holder | null): boolean {
  return holder !== null && holder.name !== name && holder.seq > (at ?? 0);
}
