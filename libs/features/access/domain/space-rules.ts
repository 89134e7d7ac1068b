import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { type Decision, refused } from '@assurance/kernel';
import { childrenOf, isLive, pathTo } from './place';
import type { Space, SpaceTree } from './tree';

/** The most levels below the root. */
export const SPACE_LEVELS_MAX = 10;

export type SpaceRefusal =
  | Omit<FeatureRefusal<'space-unknown'>, 'org'>
  | FeatureRefusal<
      | 'space-archived'
      | 'space-not-there'
      | 'space-name-taken'
      | 'space-inside-itself'
      | 'space-too-deep'
      | 'space-not-empty'
      | 'too-many-spaces'
    >;

/** How many spaces, environments and flows a space holds. Archived ones do not count. */
export interface SpaceContent {
  readonly spaces: number;
  readonly environments: number;
  readonly flows: number;
}

type Tree = Pick<SpaceTree, 'spaces'>;

/** The refusal to create a space in `parent` or to move one there; null if that is possible. */
export function parentRefusal(tree: Tree, parent: string, height: number): Decision<never, SpaceRefusal> | null {
  if (!isLive(tree, parent)) return refused({ kind: 'space-not-there', field: 'parent_id', id: parent });
  if (pathTo(tree, parent).length + height <= SPACE_LEVELS_MAX) return null;
  return refused({ kind: 'space-too-deep', limit: SPACE_LEVELS_MAX });
}

/** The live space of this name in a parent. */
export function findSpaceByName(tree: Tree, parent: string, name: string): Space | undefined {
  return childrenOf(tree, parent).find((space) => space.name === name);
}
