import { body, closed } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { Doc, Nested, NestedList, Optional, Text, TextList, Word } from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';

/** The most rules of a type, the most lines of its summary, and the most characters of each jq program. */
const RULES_MAX = 50;
const SUMMARY_MAX = 20;
const PROGRAM_MAX = 4_096;

const Rules = () => TextList({ max: RULES_MAX, characters: PROGRAM_MAX });

const EvaluatorInput = body('EvaluatorInput', {
  content_type: [
    Doc('Language of the rules; `default`: there are none. Unless given, `jq` with rules and `default` without.', 'jq'),
    Optional(Word(['jq', 'default'])),
  ],
  rules: [
    Doc('Programs with the data as input; each must yield true. Required for `jq`.', ['.coverage >= 80']),
    Optional(Rules()),
  ],
});

const SummaryLineInput = body('SummaryLineInput', {
  name: [Doc('The name of the value.', 'Coverage'), Text({ min: 1, max: NAME_MAX })],
  expression: [Doc('A jq program that yields the value.', '.coverage'), Text({ max: PROGRAM_MAX })],
});

/** The `data_json` of `POST /custom-attestation-types/{org}`. */
export const AttestationTypeData = closed('AttestationTypeData', {
  name: [
    Doc('Name of the type, unique in the organization.', 'coverage'),
    Text({ pattern: PATTERNS.policy, max: NAME_MAX }),
  ],
  description: [
    Doc('The description. Omitted or empty: unchanged.', 'Coverage of unit tests'),
    Optional(Text({ max: DESCRIPTION_MAX })),
  ],
  evaluator: [Doc('Rules that decide whether data is compliant.'), Optional(Nested(() => EvaluatorInput))],
  summary: [Doc('Values of the data to show.'), Optional(NestedList(() => SummaryLineInput, { max: SUMMARY_MAX }))],
});
