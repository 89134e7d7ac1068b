import type { EnvironmentRenamed, FlowRenamed, Renaming } from '@assurance/contracts-events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import type { FeatureRefusal } from '@assurance/model';

export type RenameRefusal = FeatureRefusal<'name-taken'>;

interface Named {
  readonly name: string;
}

/** @param facts.held whether the new name is its own in the register of names; its present name always is */
export interface RenameFacts {
  readonly held: boolean;
}

/** Gives an environment a new name; the old one stays an alias until another environment claims it. */
export function decideRenameEnvironment(
  state: Named,
  to: Named,
  facts: RenameFacts,
): Decision<EnvironmentRenamed, RenameRefusal> {
  const renaming = renamed(state, to, facts);
  if (renaming.kind !== 'renamed') return renaming;
  return accepted({ type: 'EnvironmentRenamed', version: 1, data: renaming.data });
}

/** Gives a flow a new name, by the same rules. */
export function decideRenameFlow(state: Named, to: Named, facts: RenameFacts): Decision<FlowRenamed, RenameRefusal> {
  const renaming = renamed(state, to, facts);
  if (renaming.kind !== 'renamed') return renaming;
  return accepted({ type: 'FlowRenamed', version: 1, data: renaming.data });
}

function renamed(
  { name: previousName }: Named,
  { name }: Named,
  { held }: RenameFacts,
): { readonly kind: 'renamed'; readonly data: Renaming } | Decision<never, RenameRefusal> {
  if (name === previousName) return nothing;
  return held ? { kind: 'renamed', data: { name, previousName } } : refused({ kind: 'name-taken', name });
}
