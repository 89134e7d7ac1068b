import { MADE_UP, pageExample, pageFields } from '../../http/answers/common';
import { component, list, nullable, number, object, type TypeOf, text } from '../../http/shape';

const expires = nullable(number('When it ends, in epoch seconds; null: never.'));

/** One page of the allow-list of an environment. */
export const allowlistPage = component('AllowlistPage', {
  ...pageFields,
  artifacts: list(
    object({
      artifact_fingerprint: text(),
      artifact_name: text('Empty if none was given.'),
      description: text('Why it is allowed. Empty if no reason was given.'),
      created_by: text('Name of the user or service account that allowed it.'),
      created_at: number('When it was allowed or last changed, in epoch seconds.'),
      expires_at: expires,
    }),
  ),
});
export type AllowlistPage = TypeOf<typeof allowlistPage>;

export const allowlistExample: AllowlistPage = {
  ...pageExample,
  artifacts: [
    {
      artifact_fingerprint: MADE_UP.fingerprint,
      artifact_name: 'nginx:1.27',
      description: 'By its vendor',
      created_by: 'ada',
      created_at: 1700000000.5,
      expires_at: 1800000000,
    },
  ],
};

/** An entry of the list of an organization. */
export const allowedAnswer = component('AllowedArtifact', {
  artifact_name: text('Empty if none was given.'),
  fingerprint: text(),
  environment_name: text(),
  timestamp: number('When it was allowed, in epoch seconds.'),
  user_name: text('Name of the user or service account that allowed it.'),
  description: text('Why it is allowed. Empty if no reason was given.'),
  expires_at: expires,
});
export type AllowedAnswer = TypeOf<typeof allowedAnswer>;

export const allowedExample: AllowedAnswer = {
  artifact_name: 'nginx:1.27',
  fingerprint: MADE_UP.fingerprint,
  environment_name: 'production',
  timestamp: 1700000000.5,
  user_name: 'ada',
  description: 'By its vendor',
  expires_at: null,
};
