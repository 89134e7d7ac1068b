import { type Decision, refused } from '@assurance/kernel';
import { childrenOf, isLive, pathTo, type Space, type SpaceTree } from '@assurance/model';

/** The most levels below the root. */
export const SPACE_LEVELS_MAX = 10;

export type SpaceRefusal =
  | { readonly kind: 'space-unknown'; readonly id: string }
  | { readonly kind: 'space-archived'; readonly id: string }
  /** The space that something is to go to is unknown or archived. */
  | { readonly kind: 'space-not-there'; readonly field: SpaceField; readonly id: string }
  | { readonly kind: 'space-name-taken'; readonly field: SpaceField; readonly name: string }
  | { readonly kind: 'space-inside-itself'; readonly id: string }
  | { readonly kind: 'space-too-deep'; readonly limit: number }
  | ({ readonly kind: 'space-not-empty'; readonly name: string } & SpaceContent)
  | { readonly kind: 'too-many-spaces'; readonly limit: number };

/** The field of a request that is wrong. */
export type SpaceField = 'name' | 'new_name' | 'parent_id' | 'space_id';

/** How much that is not archived a space holds. */
export interface SpaceContent {
  readonly spaces: number;
  readonly environments: number;
  readonly flows: number;
}

type Tree = Pick<SpaceTree, 'spaces'>;

/** That a space can be made or come to be in `parent`; null where it can. */
export function parentRefusal(tree: Tree, parent: string, height: number): Decision<never, SpaceRefusal> | null {
  if (!isLive(tree, parent)) return refused({ kind: 'space-not-there', field: 'parent_id', id: parent });
  if (pathTo(tree, parent).length + height <= SPACE_LEVELS_MAX) return null;
  return refused({ kind: 'space-too-deep', limit: SPACE_LEVELS_MAX });
}

/** The live space of this name in a parent. */
export function named(tree: Tree, parent: string, name: string): Space | undefined {
  return childrenOf(tree, parent).find((space) => space.name === name);
}
