import type { SpaceAnswer } from '@assurance/contracts/access/answers/space';
import { pathTo } from '../../domain/place';
import type { Space, SpaceTree } from '../../domain/tree';

export interface SpaceFilter {
  /** Id of a space: only the spaces directly in it. */
  readonly parent?: string;
  /** Part of the name. Ignores case. */
  readonly search?: string;
  /** True: only archived spaces; false: only live ones. */
  readonly archived: boolean;
}

/** The spaces that match. Each space is followed by the spaces in it. */
export function listSpaces(
  tree: Pick<SpaceTree, 'spaces'>,
  { parent, search = '', archived }: SpaceFilter,
): readonly Space[] {
  const part = search.toLowerCase();
  return Object.values(tree.spaces)
    .filter(
      (space) =>
        space.archived === archived &&
        (parent === undefined || space.parent === parent) &&
        space.name.toLowerCase().includes(part),
    )
    .map((space) => ({ space, path: pathTo(tree, space.id) }))
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(({ space }) => space);
}

/**
 * A space in the form of answers.
 *
 * @param creator name of its creator
 */
export function spaceAnswer(tree: Pick<SpaceTree, 'spaces'>, space: Space, creator: string): SpaceAnswer {
  return {
    id: space.id,
    name: space.name,
    parent_id: space.parent,
    path: pathTo(tree, space.id).map(({ name }) => name),
    archived: space.archived,
    created_by: creator,
    created_at: space.createdAt / 1000,
    last_modified_at: space.lastModifiedAt / 1000,
  };
}

/** Orders by the names on the paths from the root. If archived spaces have the same name, the smaller id comes first. */
function comparePaths(a: readonly Space[], b: readonly Space[]): number {
  for (const [level, space] of a.entries()) {
    const beside = b[level];
    if (beside === undefined) return 1;
    if (space.name !== beside.name) return space.name < beside.name ? -1 : 1;
    if (space.id !== beside.id) return space.id < beside.id ? -1 : 1;
  }
  return a.length - b.length;
}
