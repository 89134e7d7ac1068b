import { MADE_UP } from '../../http/answers/common';
import { component, flag, integer, list, nullable, number, type TypeOf, text } from '../../http/shape';

const counts = {
  judged: integer('How many artifacts were judged. An artifact counts once for each environment.'),
  become_non_compliant: integer('How many are compliant by the current version and would not be by the draft.'),
  become_compliant: integer('How many are not compliant by the current version and would be by the draft.'),
};

/** A verdict that differs between a draft and the current version of a policy. */
export const draftChange = component('PolicyDraftChange', {
  environment: text('Name of the environment.'),
  fingerprint: text('Empty for an unknown digest.'),
  name: text('Name of the artifact in the environment.'),
  running: flag('Whether it runs there now.'),
  deployed_at: nullable(number('Epoch seconds: its newest deployment there in the last 30 days. Null without one.')),
  compliant: flag('The verdict by the draft. The verdict by the current version is the opposite.'),
  reasons: list(text(), 'Why the artifact is not compliant by the one of the two; the first 5.'),
});

/** The changes that a draft of a policy would cause. */
export const policyDraftAnswer = component('PolicyDraftAnswer', {
  version: integer('The current version, to which the draft was compared.'),
  environments: list(text(), 'Names of the environments in which artifacts were judged.'),
  environments_not_judged: integer('How many environments were left out because they are more than 50.'),
  running: component('PolicyDraftRunning', {
    ...counts,
    not_judged: integer('How many artifacts run there and were not judged, because they are too many.'),
  }),
  deployed: component('PolicyDraftDeployed', {
    start_ts: number('Epoch seconds: 30 days ago.'),
    end_ts: number('Epoch seconds: now.'),
    ...counts,
    not_judged: integer(
      'How many deployments of that time have artifacts that were not judged, because they are too many.',
    ),
  }),
  changes: list(draftChange, 'The artifacts whose verdicts differ, those that run first; at most 200.'),
  changes_not_listed: integer('How many more artifacts have verdicts that differ.'),
});
export type PolicyDraftAnswer = TypeOf<typeof policyDraftAnswer>;
export type PolicyDraftChange = TypeOf<typeof draftChange>;

export const policyDraftExample: PolicyDraftAnswer = {
  version: 3,
  environments: ['production'],
  environments_not_judged: 0,
  running: { judged: 12, become_non_compliant: 1, become_compliant: 0, not_judged: 0 },
  deployed: {
    start_ts: 1697408000,
    end_ts: 1700000000,
    judged: 31,
    become_non_compliant: 1,
    become_compliant: 0,
    not_judged: 0,
  },
  changes: [
    {
      environment: 'production',
      fingerprint: MADE_UP.fingerprint,
      name: 'shop/web:1.12.0',
      running: true,
      deployed_at: 1699990000.5,
      compliant: false,
      reasons: [
        "policy 'build-process': the 'review' attestation of type pull_request is missing in trail 'build-9' of flow 'web'",
      ],
    },
  ],
  changes_not_listed: 0,
};
