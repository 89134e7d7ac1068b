import { closed } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { Doc, Fingerprint, Optional, Text, TextList, WholeTime, Word } from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';

/** The most characters of a draft. A policy file may have as many bytes as a body. */
const DRAFT_MAX = 1_000_000;

/** The `payload` of `PUT /policies/{org}`. */
export const PolicyPutInput = closed('PolicyPutInput', {
  name: [
    Doc('Name of the policy, unique in the organization.', 'build-process'),
    Text({ pattern: PATTERNS.policy, max: NAME_MAX }),
  ],
  description: [
    Doc('The description. An empty text in an update keeps the current one.', 'What runs was built and reviewed'),
    Optional(Text({ max: DESCRIPTION_MAX })),
  ],
  comment: [Doc('The comment of the new version.', 'Ask for a review'), Optional(Text({ max: DESCRIPTION_MAX }))],
  type: [Doc('The kind of the policy: environment policies only.'), Optional(Word(['env']))],
});

/** `POST /policies/{org}/{policy}/draft`. */
export const PolicyDraftInput = closed('PolicyDraftInput', {
  policy_yaml: [
    Doc(
      'The text of the draft: YAML that is valid for `/schemas/policy/v1`.',
      '_schema: https://example.com/schemas/policy/v1\n',
    ),
    Text({ min: 1, max: DRAFT_MAX }),
  ],
  environments: [
    Doc('Names of environments in place of those to which the policy is attached.', ['production']),
    Optional(TextList({ max: 50 })),
  ],
});

/** `POST` and `DELETE /environments/{org}/{env}/policies`. */
export const PolicyNamesInput = closed('PolicyNamesInput', {
  policy_names: [Doc('Names of policies.', ['build-process']), TextList({ max: 100 })],
});

/** `PUT /allowlists/{org}/{env}`. */
export const AllowlistPutInput = closed('AllowlistPutInput', {
  artifact_fingerprint: [Doc('The accepted way.', 'c0ffee00'.repeat(8)), Fingerprint()],
  artifact_name: [Doc('The display name.', 'nginx:1.27'), Optional(Text({ max: NAME_MAX }))],
  description: [Doc('Why it is accepted.', 'Built by its vendor'), Optional(Text({ max: DESCRIPTION_MAX }))],
  expires_at: [
    Doc(
      'When the acceptance ends, in whole epoch seconds; 0: never. If it is left out, a new entry has no end, and an existing one keeps its end.',
      4102444800,
    ),
    Optional(WholeTime()),
  ],
});
