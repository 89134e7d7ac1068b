import { component, flag, integer, list, number, object, type TypeOf, oneOf, text } from '../../http/shape';

/** Specification 2.7. */
const policyEvent = component('PolicyEvent', {
  type: oneOf(['policy_created', 'policy_updated', 'policy_attached', 'policy_detached']),
  timestamp: number('Epoch seconds.'),
  user: text('Name of the user or service account.'),
  data: object({}, { version: integer(), environment: text('Its name at that time.') }),
});

/** Specification 2.7. */
export const policyAnswer = component('Policy', {
  id: text(),
  name: text(),
  description: text(),
  type: oneOf(['env']),
  archived: flag('Always false: policies are not archived.'),
  consuming_envs: list(text(), 'Names of the environments to which it is attached.'),
  created_at: number('Epoch seconds.'),
  created_by: text('Name of the user or service account.'),
  last_modified_at: number('Epoch seconds.'),
  events: list(policyEvent, 'Oldest first; the newest 1,000.'),
  versions: list(
    object({
      version: integer('From 1.'),
      comment: text(),
      created_by: text('Name of the user or service account.'),
      timestamp: number('Epoch seconds.'),
      policy_yaml: text('As it was sent.'),
      accepts_unmatched: flag(
        'Whether it accepts components that no database of vulnerabilities can be compared with, and SBOMs without components, although its text does not say so: it was stored before `allow_unmatched` and `allow_empty` were there. Its text as a new version refuses them.',
      ),
    }),
    'Oldest first; the newest 1,000.',
  ),
});
export type PolicyAnswer = TypeOf<typeof policyAnswer>;

export const policyExample: PolicyAnswer = {
  id: '018bcfe5-6800-7000-8000-000000000009',
  name: 'build-process',
  description: 'What runs was built and reviewed',
  type: 'env',
  archived: false,
  consuming_envs: ['production'],
  created_at: 1700000000.5,
  created_by: 'ada',
  last_modified_at: 1700000000.5,
  events: [
    { type: 'policy_created', timestamp: 1700000000.5, user: 'ada', data: { version: 1 } },
    { type: 'policy_attached', timestamp: 1700000100.25, user: 'ada', data: { environment: 'production' } },
  ],
  versions: [
    {
      version: 1,
      comment: '',
      created_by: 'ada',
      timestamp: 1700000000.5,
      accepts_unmatched: false,
      policy_yaml:
        '_schema: https://assurance.example.com/schemas/policy/v1\nartifacts:\n  provenance:\n    required: true\n',
    },
  ],
};
