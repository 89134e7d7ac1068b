import type { SpaceArchived, SpaceMoved, SpaceRenamed } from '@assurance/contracts/access/events';
import { accepted, type Decision, err, noChange, ok, refused, type Result } from '@assurance/kernel';
import { childrenOf, heightOf, NO_SPACES, pathTo, spaceOf } from './place';
import { findSpaceByName, parentRefusal, type SpaceContent, type SpaceRefusal } from './space-rules';
import type { Space, SpaceTree } from './tree';

/** Renames a space. Spaces with one parent have distinct names, not counting archived ones. */
export function decideRenameSpace(
  state: SpaceTree | null,
  { id, name }: { readonly id: string; readonly name: string },
): Decision<SpaceRenamed, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const result = liveSpace(tree, id);
  if (!result.ok) return refused(result.refusal);
  const { parent, name: previousName } = result.value;
  if (name === previousName) return noChange;
  if (findSpaceByName(tree, parent, name) !== undefined)
    return refused({ kind: 'space-name-taken', field: 'new_name', name });
  return accepted({ type: 'SpaceRenamed', version: 1, data: { id, name, previousName } });
}

/** Moves a space and its content into another space. The other space must not be the space itself or inside it. */
export function decideMoveSpace(
  state: SpaceTree | null,
  { id, parent }: { readonly id: string; readonly parent: string },
): Decision<SpaceMoved, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const result = liveSpace(tree, id);
  if (!result.ok) return refused(result.refusal);
  const { name, parent: previousParent } = result.value;
  if (parent === previousParent) return noChange;
  if (pathTo(tree, parent).some((space) => space.id === id)) {
    return refused({ kind: 'space-inside-itself', id: parent });
  }
  const refusal = parentRefusal(tree, parent, heightOf(tree, id));
  if (refusal !== null) return refusal;
  if (findSpaceByName(tree, parent, name) !== undefined)
    return refused({ kind: 'space-name-taken', field: 'parent_id', name });
  return accepted({ type: 'SpaceMoved', version: 1, data: { id, parent, previousParent } });
}

/**
 * Archives an empty space. Repeating it changes nothing.
 *
 * @param content what the space holds besides spaces
 */
export function decideArchiveSpace(
  state: SpaceTree | null,
  { id }: { readonly id: string },
  content: Omit<SpaceContent, 'spaces'>,
): Decision<SpaceArchived, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const space = spaceOf(tree, id);
  if (space === undefined) return refused({ kind: 'space-unknown', id });
  if (space.archived) return noChange;
  const spaces = childrenOf(tree, id).length;
  if (spaces + content.environments + content.flows > 0) {
    return refused({ kind: 'space-not-empty', name: space.name, spaces, ...content });
  }
  return accepted({ type: 'SpaceArchived', version: 1, data: { id } });
}

function liveSpace(tree: Pick<SpaceTree, 'spaces'>, id: string): Result<Space, SpaceRefusal> {
  const space = spaceOf(tree, id);
  if (space === undefined) return err({ kind: 'space-unknown', id });
  return space.archived ? err({ kind: 'space-archived', id }) : ok(space);
}
