import { attestation } from '../../evidence/answers/attestation';
import { pageExample, pageFields, tags } from '../../http/answers/common';
import { component, flag, integer, list, map, number, object, type TypeOf, oneOf, text } from '../../http/shape';

export const controlAnswer = component('Control', {
  identifier: text(),
  name: text(),
  description: text(),
  version: integer('From 1; each change of name, description or links is a version.'),
  archived: flag(),
  created_by: text('Name of the user or service account.'),
  created_at: number('Epoch seconds.'),
  tags,
  links: map(text(), 'Web addresses by label.'),
  policies_referencing: list(text(), 'Names of the policies whose newest version requires a decision on it.'),
});
export type ControlAnswer = TypeOf<typeof controlAnswer>;

/** A page with its counts beside the list: the third shape of pages in the API. */
export const controlPage = component('ControlPage', {
  ...pageFields,
  controls: list(controlAnswer),
});
export type ControlPage = TypeOf<typeof controlPage>;

/** A control in one of its versions. */
export const controlVersionAnswer = component('ControlVersion', {
  identifier: text(),
  version: integer('From 1.'),
  name: text(),
  description: text(),
  links: map(text(), 'Web addresses by label.'),
  created_at: number('When the version was made, in epoch seconds.'),
  created_by: text('Name of the user or service account.'),
  status: oneOf(
    ['active', 'archived'],
    'Whether it was archived when the next version replaced it; of the newest: now.',
  ),
});
export type ControlVersionAnswer = TypeOf<typeof controlVersionAnswer>;

export const controlVersionPage = component('ControlVersionPage', {
  ...pageFields,
  versions: list(controlVersionAnswer),
});
export type ControlVersionPage = TypeOf<typeof controlVersionPage>;

/** A decision is an attestation: `attestation_id` is the id of a decision. */
export const decisionPage = component('DecisionPage', { ...pageFields, decisions: list(attestation) });
export type DecisionPage = TypeOf<typeof decisionPage>;

export const controlCoverageAnswer = component('ControlCoverage', {
  total: integer('Environments that are neither archived nor logical.'),
  covered: integer('The number of those with a policy that requires a decision on the control.'),
  coverage_percent: number('0 where there is no environment.'),
  ...pageFields,
  total_count: integer('How many environments match.'),
  environments: list(
    object({
      name: text(),
      type: text(),
      covered: flag(),
      policies: list(text(), 'Names of the attached policies that cover it.'),
    }),
  ),
});
export type ControlCoverageAnswer = TypeOf<typeof controlCoverageAnswer>;

export const controlCoverageExample: ControlCoverageAnswer = {
  total: 2,
  covered: 1,
  coverage_percent: 50,
  ...pageExample,
  environments: [{ name: 'production', type: 'docker', covered: true, policies: ['reviewed'] }],
};

export const controlExample: ControlAnswer = {
  identifier: 'SDLC-7',
  name: 'Code review',
  description: 'Two people saw every change',
  version: 2,
  archived: false,
  created_by: 'ada',
  created_at: 1700000000.5,
  tags: {},
  links: { wiki: 'https://wiki.example.com/review' },
  policies_referencing: [],
};

export const controlPageExample: ControlPage = {
  ...pageExample,
  controls: [controlExample],
};

export const controlVersionExample: ControlVersionAnswer = {
  identifier: 'SDLC-7',
  version: 2,
  name: 'Code review',
  description: 'Two people saw every change',
  links: { wiki: 'https://wiki.example.com/review' },
  created_at: 1700000000.5,
  created_by: 'ada',
  status: 'active',
};
