import { closed } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { ENVIRONMENT_SETTINGS } from '../../http/bodies/naming';
import { Doc, Flag, Optional, Text, Word } from '../../http/bodies/rules';
import { PATTERNS } from '../../http/patterns';
import { ENVIRONMENT_TYPES } from '../events';

/** `PUT /environments/{org}`. Clients look up this name in the components of the OpenAPI document. */
export const CreateEnvironmentPutInput = closed('CreateEnvironmentPutInput', {
  name: [
    Doc('Name of the environment, unique in the organization.', 'production'),
    Text({ pattern: PATTERNS.environment, max: NAME_MAX }),
  ],
  type: [Doc('The type of the runtime. It never changes.', 'docker'), Word(ENVIRONMENT_TYPES)],
  description: [
    Doc('The description. An empty text in an update keeps the current one.', 'Where customers are'),
    Optional(Text({ max: DESCRIPTION_MAX })),
  ],
  include_scaling: [Doc('Whether a change of only the number of instances creates a snapshot.'), Optional(Flag())],
  require_provenance: [Doc('Whether artifacts without provenance make it non-compliant.'), Optional(Flag())],
  ...ENVIRONMENT_SETTINGS,
});
