import type { SpaceCreated, SpaceRevived } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { NO_SPACES } from './place';
import { findSpaceByName, parentRefusal, type SpaceRefusal } from './space-rules';
import type { SpaceTree } from './tree';

export interface PutSpace {
  readonly name: string;
  /** Id of the space that contains it. */
  readonly parent: string;
}

/**
 * Creates a space. Does nothing if the parent has a space of this name. Revives the newest archived space of this name instead of creating one.
 *
 * @param facts.id the id of a new space
 * @param facts.limit the most spaces of an organization, archived ones included
 */
export function decidePutSpace(
  state: SpaceTree | null,
  { name, parent }: PutSpace,
  { id, limit }: { readonly id: string; readonly limit: number },
): Decision<SpaceCreated | SpaceRevived, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const refusal = parentRefusal(tree, parent, 1);
  if (refusal !== null) return refusal;
  if (findSpaceByName(tree, parent, name) !== undefined) return noChange;
  const [archived] = Object.values(tree.spaces)
    .filter((space) => space.archived && space.parent === parent && space.name === name)
    .sort((a, b) => b.lastModifiedAt - a.lastModifiedAt || (a.id < b.id ? 1 : -1));
  if (archived !== undefined) return accepted({ type: 'SpaceRevived', version: 1, data: { id: archived.id } });
  if (Object.keys(tree.spaces).length >= limit) return refused({ kind: 'too-many-spaces', limit });
  return accepted({ type: 'SpaceCreated', version: 1, data: { id, name, parent } });
}
