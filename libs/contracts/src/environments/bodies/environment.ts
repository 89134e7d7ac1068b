import { closed, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { ENVIRONMENT_SETTINGS } from '../../http/bodies/naming';
import { PATTERNS } from '../../http/patterns';
import { flag, oneOf, text } from '../../http/shape';
import { ENVIRONMENT_TYPES } from '../events';

/** `PUT /environments/{org}`. Clients look up this name in the components of the OpenAPI document. */
export const CreateEnvironmentPutInput = closed('CreateEnvironmentPutInput', {
  name: text('Name of the environment, unique in the organization.', {
    pattern: PATTERNS.environment,
    max: NAME_MAX,
    example: 'production',
  }),
  type: oneOf(ENVIRONMENT_TYPES, 'The type of the runtime. It never changes.', { example: 'docker' }),
  description: optional(
    text('The description. An empty text in an update keeps the current one.', {
      max: DESCRIPTION_MAX,
      example: 'Where customers are',
    }),
  ),
  include_scaling: optional(flag('Whether a change of only the number of instances creates a snapshot.')),
  require_provenance: optional(flag('Whether artifacts without provenance make it non-compliant.')),
  ...ENVIRONMENT_SETTINGS,
});
