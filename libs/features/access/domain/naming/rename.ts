import type { EnvironmentRenamed } from '@assurance/contracts/environments/events';
import type { FlowRenamed } from '@assurance/contracts/flows/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';

export type RenameRefusal = FeatureRefusal<'name-taken'>;

interface NamedState {
  readonly name: string;
}

/** @param facts.isOwn whether the aggregate holds the new name in the register of names; it always holds its present name */
export interface RenameFacts {
  readonly isOwn: boolean;
}

function renameDecider<Event extends EnvironmentRenamed | FlowRenamed>(type: Event['type']) {
  return (
    { name: previousName }: NamedState,
    { name }: NamedState,
    { isOwn }: RenameFacts,
  ): Decision<Event, RenameRefusal> => {
    if (name === previousName) return noChange;
    if (!isOwn) return refused({ kind: 'name-taken', name });
    return accepted({ type, version: 1, data: { name, previousName } } as Event);
  };
}

/** Gives an environment a new name; the old one stays an alias until another environment claims it. */
export const decideRenameEnvironment = renameDecider<EnvironmentRenamed>('EnvironmentRenamed');

/** Gives a flow a new name, by the same rules. */
export const decideRenameFlow = renameDecider<FlowRenamed>('FlowRenamed');
