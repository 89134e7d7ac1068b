import { type EnvironmentMoved, type FlowMoved, ROOT_SPACE } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { isLive } from '../place';
import type { SpaceRefusal } from '../space-rules';
import type { SpaceTree } from '../tree';

interface SpaceMember {
  /** Id of the space that it was moved into; absent if it was never moved. */
  readonly space?: string;
}

/** @param facts.tree the spaces of the organization */
export interface MoveFacts {
  readonly tree: Pick<SpaceTree, 'spaces'>;
}

/** An item in an archived space is shown in a space above it, but not stored there. So a move to the space above is a change. */
function moveDecider<Event extends EnvironmentMoved | FlowMoved>(type: Event['type']) {
  return (
    { space: previousSpace = ROOT_SPACE }: SpaceMember,
    { space }: { readonly space: string },
    { tree }: MoveFacts,
  ): Decision<Event, SpaceRefusal> => {
    if (!isLive(tree, space)) return refused({ kind: 'space-not-there', field: 'space_id', id: space });
    if (space === previousSpace) return noChange;
    return accepted({ type, version: 1, data: { space, previousSpace } } as Event);
  };
}

/** Moves an environment into a space, which must be live. */
export const decideMoveEnvironment = moveDecider<EnvironmentMoved>('EnvironmentMoved');

/** Moves a flow into a space, by the same rules. */
export const decideMoveFlow = moveDecider<FlowMoved>('FlowMoved');
