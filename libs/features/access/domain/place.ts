import { ROOT_SPACE } from '@assurance/contracts/access/events';
import type { Space, SpaceTree } from './tree';

/** The spaces of an organization that created none: only the root. */
export const NO_SPACES: Pick<SpaceTree, 'spaces'> = { spaces: {} };

type Tree = Pick<SpaceTree, 'spaces'>;

/** A space by its id; undefined for the root, which is no space of the tree, and for what is unknown. */
export function spaceOf({ spaces }: Tree, id: string): Space | undefined {
  return Object.hasOwn(spaces, id) ? spaces[id] : undefined;
}

/** Whether something can be in it: the root always, a space unless it is archived. */
export function isLive(tree: Tree, id: string): boolean {
  return id === ROOT_SPACE || spaceOf(tree, id)?.archived === false;
}

/**
 * The space in which something is shown that was put into one: that one, or the nearest around it that is not archived. So nothing is
 * lost when a space is archived at the moment when something is moved into it, or when what it held is taken out of the archive later.
 *
 * @param id absent if the item was never moved
 */
export function shownSpace(tree: Tree, id: string = ROOT_SPACE): string {
  let at = id;
  for (let space = spaceOf(tree, at); space?.archived === true; space = spaceOf(tree, at)) at = space.parent;
  return at;
}

/** The spaces from the one below the root to this one; none for the root. */
export function pathTo(tree: Tree, id: string): Space[] {
  const path: Space[] = [];
  for (let space = spaceOf(tree, id); space !== undefined; space = spaceOf(tree, space.parent)) path.unshift(space);
  return path;
}

/** The live spaces in this one. */
export function childrenOf({ spaces }: Tree, id: string): Space[] {
  return Object.values(spaces).filter(({ parent, archived }) => parent === id && !archived);
}

/** How many levels a space and what is in it take: 1 where it holds no space. */
export function heightOf(tree: Tree, id: string): number {
  return 1 + Math.max(0, ...childrenOf(tree, id).map((child) => heightOf(tree, child.id)));
}
