import { component, list, number, object, type Of, text } from '../shape';
import { pageFields } from './common';

/** One page of the allow-list of an environment. */
export const allowlistPage = component('AllowlistPage', {
  ...pageFields,
  artifacts: list(
    object({
      artifact_fingerprint: text(),
      artifact_name: text('Empty if none was given.'),
      description: text('Why it is allowed. Empty if no reason was given.'),
      created_by: text('Name of the user or service account that allowed it.'),
      created_at: number('Epoch seconds.'),
    }),
  ),
});
export type AllowlistPage = Of<typeof allowlistPage>;

export const allowlistExample: AllowlistPage = {
  page: 1,
  per_page: 15,
  total_pages: 1,
  total_count: 1,
  artifacts: [
    {
      artifact_fingerprint: 'c0ffee00'.repeat(8),
      artifact_name: 'nginx:1.27',
      description: 'By its vendor',
      created_by: 'ada',
      created_at: 1700000000.5,
    },
  ],
};
