import type { PolicyRules } from '@assurance/contracts/policies/events';

/**
 * Errors for rules that name a control that does not exist.
 *
 * @param field the one that the rules were read from
 */
export async function unknownControls(
  field: string,
  { attestations }: Pick<PolicyRules, 'attestations'>,
  exists: (identifier: string) => Promise<boolean>,
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const [i, { forControl }] of attestations.entries()) {
    if (forControl === null || (await exists(forControl))) continue;
    errors[`${field}.artifacts.attestations.${i}.for_control`] = `Control '${forControl}' does not exist`;
  }
  return errors;
}
