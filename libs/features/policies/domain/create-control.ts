import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { Control } from '@assurance/contracts/policies/documents';
import type { ControlCreated, ControlSettings } from '@assurance/contracts/policies/events';
import { accepted, type Decision, refused } from '@assurance/kernel';

export interface CreateControl extends ControlSettings {
  readonly identifier: string;
}

export type CreateControlRefusal = Omit<FeatureRefusal<'control-exists'>, 'org'>;

/**
 * Creates a control. An existing control with this identifier, archived or not, does not change.
 *
 * @param facts.id the id of the new control
 */
export function decideCreateControl(
  state: Control | null,
  { identifier, name, description, links }: CreateControl,
  { id }: { readonly id: string },
): Decision<ControlCreated, CreateControlRefusal> {
  if (state !== null) return refused({ kind: 'control-exists', identifier });
  const data = { id, identifier, name, description, links };
  return accepted({ type: 'ControlCreated', version: 1, data });
}
