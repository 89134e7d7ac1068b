import { PATTERNS } from '../patterns';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { Doc, Optional, Text, TextList, Word } from './rules';

/** The `payload` of `PUT /policies/{org}`. */
export class PolicyPutInput {
  @Doc('Name of the policy, unique in the organization.', 'build-process')
  @Text({ pattern: PATTERNS.policy, max: NAME_MAX })
  name!: string;

  @Doc('The description. An empty text in an update keeps the current one.', 'What runs was built and reviewed')
  @Optional(Text({ max: DESCRIPTION_MAX }))
  description?: string;

  @Doc('The comment of the new version.', 'Ask for a review')
  @Optional(Text({ max: DESCRIPTION_MAX }))
  comment?: string;

  @Doc('The kind of the policy: environment policies only.')
  @Optional(Word(['env']))
  type?: 'env';
}

/** `POST` and `DELETE /environments/{org}/{env}/policies`. */
export class PolicyNamesInput {
  @Doc('Names of policies.', ['build-process'])
  @TextList({ max: 100 })
  policy_names!: readonly string[];
}

/** `PUT /allowlists/{org}/{env}`. */
export class AllowlistPutInput {
  @Doc('The accepted way.', 'c0ffee00'.repeat(8))
  @Text({ pattern: PATTERNS.fingerprint })
  artifact_fingerprint!: string;

  @Doc('The display name.', 'nginx:1.27')
  @Optional(Text({ max: NAME_MAX }))
  artifact_name?: string;

  @Doc('Why it is accepted.', 'Built by its vendor')
  @Optional(Text({ max: DESCRIPTION_MAX }))
  description?: string;
}
