import { type EnvironmentMoved, type FlowMoved, type Move, ROOT_SPACE } from '@assurance/contracts-events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import { isLive, type SpaceTree } from '@assurance/model';
import type { SpaceRefusal } from '../space/rules';

interface Placed {
  /** Id of the space that it was put into; left out while it was never moved. */
  readonly space?: string;
}

/** @param facts.tree the spaces of the organization */
export interface MoveFacts {
  readonly tree: Pick<SpaceTree, 'spaces'>;
}

/** Puts an environment into a space, which is live. */
export function decideMoveEnvironment(
  state: Placed,
  to: { readonly space: string },
  facts: MoveFacts,
): Decision<EnvironmentMoved, SpaceRefusal> {
  const moved = moveOf(state, to, facts);
  return moved.kind === 'moved' ? accepted({ type: 'EnvironmentMoved', version: 1, data: moved.data }) : moved;
}

/** Puts a flow into a space, by the same rules. */
export function decideMoveFlow(
  state: Placed,
  to: { readonly space: string },
  facts: MoveFacts,
): Decision<FlowMoved, SpaceRefusal> {
  const moved = moveOf(state, to, facts);
  return moved.kind === 'moved' ? accepted({ type: 'FlowMoved', version: 1, data: moved.data }) : moved;
}

/** A subject of an archived space is shown in a space above, but not stored there: a move to that space is a change. */
function moveOf(
  { space: previousSpace = ROOT_SPACE }: Placed,
  { space }: { readonly space: string },
  { tree }: MoveFacts,
): { readonly kind: 'moved'; readonly data: Move } | Decision<never, SpaceRefusal> {
  if (!isLive(tree, space)) return refused({ kind: 'space-not-there', field: 'space_id', id: space });
  return space === previousSpace ? nothing : { kind: 'moved', data: { space, previousSpace } };
}
