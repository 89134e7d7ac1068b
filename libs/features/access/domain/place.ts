import { ROOT_SPACE } from '@assurance/contracts/access/events';
import type { Space, SpaceTree } from './tree';

/** The spaces of an organization that created none: only the root. */
export const NO_SPACES: Pick<SpaceTree, 'spaces'> = { spaces: {} };

type Tree = Pick<SpaceTree, 'spaces'>;

/** A space by its id; undefined for an unknown id, and for the root, which is not in the tree. */
export function spaceOf({ spaces }: Tree, id: string): Space | undefined {
  return Object.hasOwn(spaces, id) ? spaces[id] : undefined;
}

/** Whether items can be put into the space: the root is always live, another space is live unless it is archived. */
export function isLive(tree: Tree, id: string): boolean {
  return id === ROOT_SPACE || spaceOf(tree, id)?.archived === false;
}

/**
 * The space that shows an item: the space that it was put into, or the nearest one above it that is not archived. So no item gets lost if it is moved
 * into a space that is archived at the same moment, or if it leaves the archive after its space was archived.
 *
 * @param id absent if the item was never moved
 */
export function shownSpace(tree: Tree, id: string = ROOT_SPACE): string {
  let at = id;
  for (let space = spaceOf(tree, at); space?.archived === true; space = spaceOf(tree, at)) at = space.parent;
  return at;
}

/** The spaces on the path from the root to this one, without the root; empty for the root. */
export function pathTo(tree: Tree, id: string): Space[] {
  const path: Space[] = [];
  for (let space = spaceOf(tree, id); space !== undefined; space = spaceOf(tree, space.parent)) path.unshift(space);
  return path;
}

/** The live spaces in this one. */
export function childrenOf({ spaces }: Tree, id: string): Space[] {
  return Object.values(spaces).filter(({ parent, archived }) => parent === id && !archived);
}

/** How many levels a space and the spaces in it take: 1 if it holds no space. */
export function heightOf(tree: Tree, id: string): number {
  return 1 + Math.max(0, ...childrenOf(tree, id).map((child) => heightOf(tree, child.id)));
}
