import { gives } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { followed } from '../../http/params';
import { reads, route } from '../../http/route';
import { NO_SNAPSHOT, UNKNOWN } from '../../http/routes/unknown';
import { flag, integer, list, oneOf, text } from '../../http/shape';
import { ARTIFACTS_SHOWN, snapshotAnswer, snapshotListItem } from '../answers/snapshot';

const tag = 'Snapshots';

export const snapshotRoutes = {
  listSnapshots: route('GET', '/api/v2/snapshots/{org}/{env}', {
    ...reads(tag),
    summary: 'List snapshots of an environment',
    description: 'Newest first unless `reverse`.',
    query: {
      ...followed('Snapshots', 15, 50),
      interval: text(
        'Which snapshots: `3..NOW`, `~3..NOW`, `1..2`, `2.weeks.ago..NOW`, or a single one, such as `3`. A time means the snapshot of that time.',
      ),
      reverse: flag('Oldest first.', { default: false }),
    },
    answers: gives('One page as a plain list.', list(snapshotListItem), examples.snapshots, 200, 'Link'),
    errors: { 404: [UNKNOWN.environment] },
  }),
  getSnapshot: route('GET', '/api/v2/snapshots/{org}/{env}/{expr}', {
    ...reads(tag),
    summary: 'Get a snapshot',
    description:
      'The artifacts of one snapshot, their changes and their provenance. With `page` or `per_page` one page of the artifacts; `artifact_page` has their number.',
    paths: {
      expr: 'Which snapshot: `-1` or `@{now}` for the latest, `~N` or `-(N+1)` for the one N before it, `N` or `#N` for the one with that index (from 1), `@{2023-10-02T12:00:00}` (UTC) or `@{5.hours.ago}` (minutes, hours, days, weeks, months) for the one of that time.',
    },
    query: {
      page: integer('Number of the page of artifacts.', { min: 1 }),
      per_page: integer('Artifacts per page; 50 when only `page` is given.', { min: 1, max: 100 }),
      show: oneOf(
        ARTIFACTS_SHOWN,
        'Which artifacts: `running` without exited ones, `changed` in this snapshot, `non-compliant` running ones, `allowed` running ones that the allow-list accepts.',
        { default: 'all' },
      ),
      cause: text('Only artifacts that fail for this cause: a `key` or `failure` of `failure_causes`.'),
      search: text('Artifacts whose name, fingerprint or flow contains this text, in any letter case.'),
    },
    answers: gives('The snapshot.', snapshotAnswer, examples.snapshot),
    errors: NO_SNAPSHOT,
  }),
} as const;
