import { spaceId, tags } from '../../http/answers/common';
import { component, flag, integer, list, nullable, number, type TypeOf, oneOf, text } from '../../http/shape';
import { ENVIRONMENT_TYPES } from '../events';

/** The `state` of an environment: true, false, null. */
export const ENVIRONMENT_STATES = ['compliant', 'non-compliant', 'not-judged'] as const;
export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number];

export const environmentAnswer = component('Environment', {
  org: text(),
  name: text(),
  type: oneOf(ENVIRONMENT_TYPES),
  description: text(),
  last_modified_at: number('Epoch seconds.'),
  last_reported_at: nullable(number('Epoch seconds; at most 60 s behind.')),
  last_changed_at: nullable(number('When its newest snapshot was created, in epoch seconds.')),
  report_every: nullable(integer('Within how many seconds a report is expected; null: the service learns it.')),
  late_since: nullable(
    number('By when its next report was due, in epoch seconds; null unless it is late: none came since.'),
  ),
  state: nullable(flag('Whether it is compliant; null without policies.')),
  include_scaling: flag(),
  require_provenance: flag(),
  tags,
  space_id: spaceId,
  policies: list(text(), 'Names of the attached policies.'),
  included_environments: nullable(list(text(), 'Names of the members; null for physical environments.')),
});
export type EnvironmentAnswer = TypeOf<typeof environmentAnswer>;
