import type { SpaceArchived, SpaceMoved, SpaceRenamed } from '@assurance/contracts/access/events';
import { accepted, type Decision, no, nothing, ok, refused, type Result } from '@assurance/kernel';
import { childrenOf, heightOf, NO_SPACES, pathTo, spaceOf } from './place';
import { named, parentRefusal, type SpaceContent, type SpaceRefusal } from './space-rules';
import type { Space, SpaceTree } from './tree';

/** Renames a space. Spaces with one parent have distinct names, not counting archived ones. */
export function decideRenameSpace(
  state: SpaceTree | null,
  { id, name }: { readonly id: string; readonly name: string },
): Decision<SpaceRenamed, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const found = liveSpace(tree, id);
  if (!found.ok) return refused(found.refusal);
  const { parent, name: previousName } = found.value;
  if (name === previousName) return nothing;
  if (named(tree, parent, name) !== undefined) return refused({ kind: 'space-name-taken', field: 'new_name', name });
  return accepted({ type: 'SpaceRenamed', version: 1, data: { id, name, previousName } });
}

/** Puts a space, with all that is in it, into another one, which is neither itself nor inside it. */
export function decideMoveSpace(
  state: SpaceTree | null,
  { id, parent }: { readonly id: string; readonly parent: string },
): Decision<SpaceMoved, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const found = liveSpace(tree, id);
  if (!found.ok) return refused(found.refusal);
  const { name, parent: previousParent } = found.value;
  if (parent === previousParent) return nothing;
  if (pathTo(tree, parent).some((space) => space.id === id)) {
    return refused({ kind: 'space-inside-itself', id: parent });
  }
  const refusal = parentRefusal(tree, parent, heightOf(tree, id));
  if (refusal !== null) return refusal;
  if (named(tree, parent, name) !== undefined) return refused({ kind: 'space-name-taken', field: 'parent_id', name });
  return accepted({ type: 'SpaceMoved', version: 1, data: { id, parent, previousParent } });
}

/**
 * Archives a space that holds nothing; again changes nothing.
 *
 * @param content of the space, without spaces
 */
export function decideArchiveSpace(
  state: SpaceTree | null,
  { id }: { readonly id: string },
  content: Omit<SpaceContent, 'spaces'>,
): Decision<SpaceArchived, SpaceRefusal> {
  const tree = state ?? NO_SPACES;
  const space = spaceOf(tree, id);
  if (space === undefined) return refused({ kind: 'space-unknown', id });
  if (space.archived) return nothing;
  const spaces = childrenOf(tree, id).length;
  if (spaces + content.environments + content.flows > 0) {
    return refused({ kind: 'space-not-empty', name: space.name, spaces, ...content });
  }
  return accepted({ type: 'SpaceArchived', version: 1, data: { id } });
}

function liveSpace(tree: Pick<SpaceTree, 'spaces'>, id: string): Result<Space, SpaceRefusal> {
  const space = spaceOf(tree, id);
  if (space === undefined) return no({ kind: 'space-unknown', id });
  return space.archived ? no({ kind: 'space-archived', id }) : ok(space);
}
