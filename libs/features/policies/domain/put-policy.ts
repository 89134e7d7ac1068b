import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { Policy } from '@assurance/contracts/policies/documents';
import type { PolicyCreated, PolicyDescribed, PolicyRevised, PolicyText } from '@assurance/contracts/policies/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';

export type PutPolicy = { readonly name: string; readonly description: string } & (
  | PolicyText
  /** Changes only the description of an existing policy. */
  | { readonly yaml: null }
);

/**
 * Creates a policy, or adds its next version. Without a text, or with the same bytes as before, there is no new version. An empty
 * description does not replace an existing one.
 *
 * @param facts.id the id of a new policy
 * @param facts.yaml the text of the newest version
 */
export function decidePutPolicy(
  state: Policy | null,
  input: PutPolicy,
  facts: { readonly id: string; readonly yaml: string | null },
): Decision<PolicyCreated | PolicyDescribed | PolicyRevised, FeatureRefusal<'policy-file-missing'>> {
  const { name, description } = input;
  if (state === null) {
    if (input.yaml === null) return refused({ kind: 'policy-file-missing' });
    const { name: _, description: __, ...text } = input;
    return accepted({ type: 'PolicyCreated', version: 1, data: { id: facts.id, name, description, ...text } });
  }
  const describedEvents: readonly PolicyDescribed[] =
    description === '' || description === state.description
      ? []
      : [{ type: 'PolicyDescribed', version: 1, data: { description } }];
  if (input.yaml !== null && facts.yaml !== input.yaml) {
    const { name: _, description: __, ...text } = input;
    const policyRevised: PolicyRevised = {
      type: 'PolicyRevised',
      version: 1,
      data: { version: state.version + 1, ...text },
    };
    return accepted<PolicyRevised, PolicyDescribed>(policyRevised, ...describedEvents);
  }
  const [only] = describedEvents;
  return only === undefined ? noChange : accepted(only);
}
