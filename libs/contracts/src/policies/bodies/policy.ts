import { closed, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { fingerprint, time } from '../../http/bodies/words';
import { PATTERNS } from '../../http/patterns';
import { list, oneOf, text } from '../../http/shape';

/** The most characters of a draft. A policy file may have as many bytes as a body. */
const DRAFT_MAX = 1_000_000;

/** The `payload` of `PUT /policies/{org}`. */
export const PolicyPutInput = closed('PolicyPutInput', {
  name: text('Name of the policy, unique in the organization.', {
    pattern: PATTERNS.policy,
    max: NAME_MAX,
    example: 'build-process',
  }),
  description: optional(
    text('The description. An empty text in an update keeps the current one.', {
      max: DESCRIPTION_MAX,
      example: 'What runs was built and reviewed',
    }),
  ),
  comment: optional(text('The comment of the new version.', { max: DESCRIPTION_MAX, example: 'Ask for a review' })),
  type: optional(oneOf(['env'], 'The kind of the policy: environment policies only.')),
});

/** `POST /policies/{org}/{policy}/draft`. */
export const PolicyDraftInput = closed('PolicyDraftInput', {
  policy_yaml: text('The text of the draft: YAML that is valid for `/schemas/policy/v1`.', {
    min: 1,
    max: DRAFT_MAX,
    example: '_schema: https://example.com/schemas/policy/v1\n',
  }),
  environments: optional(
    list(text(), 'Names of environments in place of those to which the policy is attached.', {
      max: 50,
      example: ['production'],
    }),
  ),
});

/** `POST` and `DELETE /environments/{org}/{env}/policies`. */
export const PolicyNamesInput = closed('PolicyNamesInput', {
  policy_names: list(text(), 'Names of policies.', { max: 100, example: ['build-process'] }),
});

/** `PUT /allowlists/{org}/{env}`. */
export const AllowlistPutInput = closed('AllowlistPutInput', {
  artifact_fingerprint: fingerprint('The accepted way.', { example: 'c0ffee00'.repeat(8) }),
  artifact_name: optional(text('The display name.', { max: NAME_MAX, example: 'nginx:1.27' })),
  description: optional(text('Why it is accepted.', { max: DESCRIPTION_MAX, example: 'Built by its vendor' })),
  expires_at: optional(
    time(
      'When the acceptance ends, in whole epoch seconds; 0: never. If it is left out, a new entry has no end, and an existing one keeps its end.',
      { example: 4102444800 },
    ),
  ),
});
