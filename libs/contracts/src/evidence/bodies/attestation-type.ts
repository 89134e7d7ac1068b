import { body, closed, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { PATTERNS } from '../../http/patterns';
import { withDescription, list, oneOf, text } from '../../http/shape';

/** The most rules of a type, the most lines of its summary, and the most characters of each jq program. */
const RULES_MAX = 50;
const SUMMARY_MAX = 20;
const PROGRAM_MAX = 4_096;

const EvaluatorInput = body('EvaluatorInput', {
  content_type: optional(
    oneOf(
      ['jq', 'default'],
      'Language of the rules; `default`: there are none. Unless given, `jq` with rules and `default` without.',
      { example: 'jq' },
    ),
  ),
  rules: optional(
    list(
      text(undefined, { max: PROGRAM_MAX }),
      'Programs with the data as input; each must yield true. Required for `jq`.',
      { max: RULES_MAX, example: ['.coverage >= 80'] },
    ),
  ),
});

const SummaryLineInput = body('SummaryLineInput', {
  name: text('The name of the value.', { min: 1, max: NAME_MAX, example: 'Coverage' }),
  expression: text('A jq program that yields the value.', { max: PROGRAM_MAX, example: '.coverage' }),
});

/** The `data_json` of `POST /custom-attestation-types/{org}`. */
export const AttestationTypeData = closed('AttestationTypeData', {
  name: text('Name of the type, unique in the organization.', {
    pattern: PATTERNS.policy,
    max: NAME_MAX,
    example: 'coverage',
  }),
  description: optional(
    text('The description. Omitted or empty: unchanged.', { max: DESCRIPTION_MAX, example: 'Coverage of unit tests' }),
  ),
  evaluator: optional(withDescription(EvaluatorInput, 'Rules that decide whether data is compliant.')),
  summary: optional(list(SummaryLineInput, 'Values of the data to show.', { max: SUMMARY_MAX })),
});
