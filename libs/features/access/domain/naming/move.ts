import { type EnvironmentMoved, type FlowMoved, ROOT_SPACE } from '@assurance/contracts/access/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { isLive } from '../place';
import type { SpaceRefusal } from '../space-rules';
import type { SpaceTree } from '../tree';

interface SpaceMember {
  /** Id of the space that it was put into; left out while it was never moved. */
  readonly space?: string;
}

/** @param facts.tree the spaces of the organization */
export interface MoveFacts {
  readonly tree: Pick<SpaceTree, 'spaces'>;
}

/** A subject of an archived space is shown in a space above, but not stored there: a move to that space is a change. */
function moving<Event extends EnvironmentMoved | FlowMoved>(type: Event['type']) {
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

/** Puts an environment into a space, which is live. */
export const decideMoveEnvironment = moving<EnvironmentMoved>('EnvironmentMoved');

/** Puts a flow into a space, by the same rules. */
export const decideMoveFlow = moving<FlowMoved>('FlowMoved');
