import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyCreated, PolicyDescribed, PolicyRevised, PolicyText } from '@assurance/contracts/policies/events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';

export interface PutPolicy extends PolicyText {
  readonly name: string;
  readonly description: string;
}

/**
 * Creates a policy, or gives it its next version: none where the text is the same, byte for byte. An empty description does not wipe
 * one that is there.
 *
 * @param facts.id the id that a new policy gets
 * @param facts.yaml the text of the newest version
 */
export function decidePutPolicy(
  state: Policy | null,
  { name, description, ...text }: PutPolicy,
  facts: { readonly id: string; readonly yaml: string | null },
): Decision<PolicyCreated | PolicyDescribed | PolicyRevised, never> {
  if (state === null) {
    return accepted({ type: 'PolicyCreated', version: 1, data: { id: facts.id, name, description, ...text } });
  }
  const described = describedAs(state, description);
  if (facts.yaml !== text.yaml) {
    const revised: PolicyRevised = { type: 'PolicyRevised', version: 1, data: { version: state.version + 1, ...text } };
    return accepted<PolicyRevised, PolicyDescribed>(revised, ...described);
  }
  const [only] = described;
  return only === undefined ? nothing : accepted(only);
}

/** Gives an existing policy another description and leaves its text. */
export function decideDescribePolicy(
  state: Policy | null,
  { description }: { readonly description: string },
): Decision<PolicyDescribed, { readonly kind: 'invalid'; readonly errors: { readonly policy_file: string } }> {
  if (state === null) return refused({ kind: 'invalid', errors: { policy_file: 'Field required' } });
  const [only] = describedAs(state, description);
  return only === undefined ? nothing : accepted(only);
}

/** An empty description leaves the one that is there. */
function describedAs(state: Policy, description: string): readonly PolicyDescribed[] {
  return description === '' || description === state.description
    ? []
    : [{ type: 'PolicyDescribed', version: 1, data: { description } }];
}
