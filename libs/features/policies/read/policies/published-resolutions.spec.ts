import { RESOLUTION_REASONS, type ResolutionReason } from '@assurance/contracts/policies/answers/decision';
import { published } from './published-resolutions';

/** The words for which the public client prints a sentence when a rule fails. */
const PRINTED = ['legacy_flow', 'missing_attestation', 'non_compliant_attestation', 'non_compliant_in_trail'];
/** The words of rules that do not fail. */
const FINE: readonly ResolutionReason[] = ['rule_satisfied', 'rule_not_applicable'];

describe('the published word', () => {
  it.each(RESOLUTION_REASONS.filter((reason) => !FINE.includes(reason)))(
    'for %s is one that the public client prints, with ours beside it if it is another',
    (word) => {
      const { type, reason = type } = published(word);
      expect(PRINTED).toContain(type);
      expect(reason).toBe(word);
    },
  );

  it.each(FINE)('for %s is the same', (word) => {
    expect(published(word)).toEqual({ type: word });
  });
});
