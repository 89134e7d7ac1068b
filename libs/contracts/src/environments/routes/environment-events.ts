import { gives } from '../../http/answers/common';
import { followed, names, orEmpty, paged, texts, timestamp } from '../../http/params';
import { reads, route } from '../../http/route';
import { NO_ENVIRONMENT, NO_SNAPSHOT, UNKNOWN } from '../../http/routes/unknown';
import { flag, integer, list, oneOf, text } from '../../http/shape';
import { comparison, comparisonExample, PAIR_KINDS } from '../answers/comparison';
import { environmentDiff } from '../answers/environment-diff';
import { environmentEvent, environmentEventExamples as examples } from '../answers/environment-event';
import { snappish } from './snappish';

/** The value of the filter for artifacts without a flow. */
export const NO_PROVENANCE = 'no provenance';
/** The types of changes by which the log of an environment can be filtered. */
const CHANGES = ['started', 'exited', 'changed', 'scaled', 'updated-provenance'] as const;

const tag = 'Snapshots';
const bound = 'an index, `~N`, `NOW`, or a time such as `1hour` or `2.weeks.ago`';

export const environmentEventRoutes = {
  listEnvironmentEvents: route('GET', '/api/v2/environments/{org}/{env}/events', {
    ...reads(tag),
    summary: 'List the events of an environment',
    description:
      'One item for each artifact that a snapshot changed: started, exited, changed, scaled. Newest first unless `reverse`. All given filters apply.',
    query: {
      ...followed('Events'),
      interval: text(
        'Which snapshots: `3..NOW`, `~3..NOW`, `1..2`, `2.weeks.ago..NOW` (created since then), or a single one, such as `3`.',
      ),
      reverse: flag('Oldest first.', { default: false }),
      repo_name: texts(
        'Exact name of the repository of the first flow; may be repeated. An unknown name gives an empty list.',
      ),
      start: text(`The first snapshot: ${bound}.`),
      end: text(`The last snapshot: ${bound}.`),
      start_ts: timestamp('Events at or after this time, in epoch seconds.'),
      end_ts: timestamp('Events at or before this time, in epoch seconds.'),
    },
    answers: gives('One page as a plain list.', list(environmentEvent), examples.events, 200, 'Link'),
    errors: { 404: [UNKNOWN.environment] },
  }),
  getEnvironmentAuditLog: route('GET', '/api/v2/environments/{org}/{env}/auditlog', {
    ...reads(tag),
    media: ['text/csv'],
    summary: 'Download the log of an environment',
    description:
      'A line of CSV for each artifact that a snapshot changed, newest first, below a line of names. All given filters apply. It is sent while it is read, and may be of any length. It begins with a byte order mark, by which Excel reads UTF-8. Texts are quoted, and an apostrophe stands before those that a spreadsheet would run.',
    query: {
      from_timestamp: timestamp('Changes at or after this time, in epoch seconds.'),
      to_timestamp: timestamp('Changes at or before this time, in epoch seconds.'),
      event_types: orEmpty(list(oneOf(CHANGES), 'Only of these types, with commas between.')),
      flow_names: orEmpty(
        names(`Only artifacts that were known in one of these flows; \`${NO_PROVENANCE}\` for those in none.`),
      ),
      repo_names: orEmpty(names('Only artifacts from repositories of exactly these names.')),
    },
    answers: gives(
      'The log.',
      text(),
      'reported_at,environment_name,snapshot_index,type,artifact_name,sha256,flows,repo_name,artifact_compliance,snapshot_compliance,description\r\n…',
      200,
      'Content-Disposition',
    ),
    errors: { 404: NO_ENVIRONMENT },
  }),
  diffEnvironments: route('GET', '/api/v2/env-diff/{org}', {
    ...reads(tag),
    summary: 'Compare two snapshots',
    description:
      'Compares two snapshots of one environment or of two: artifacts that run only in one, in both in different numbers, and in both equally. With `page` or `per_page` one page of each of the four lists: its `artifact_page` says how many artifacts the list has.',
    query: {
      snappish1: snappish('A snapshot: `env` for its latest, `env#N`, `env~N` or `env@{...}`.'),
      snappish2: snappish('The other environment.'),
      page: integer('Number of the page of each list.', { min: 1 }),
      per_page: integer('Artifacts per page of each list; 50 when only `page` is given.', { min: 1, max: 100 }),
    },
    answers: gives('The differences.', environmentDiff, examples.diff),
    errors: NO_SNAPSHOT,
  }),
  compareEnvironments: route('GET', '/api/v2/compare/{org}', {
    ...reads(tag),
    summary: 'Compare what runs in two places',
    description:
      'Pairs everything that runs in two snapshots, of one environment or of two: services that run in another version first, then what runs only in one, then what runs in both. `counts` are those of all pages and kinds.',
    query: {
      from: snappish('A snapshot: `env` for its latest, `env#N`, `env~N` or `env@{...}`.'),
      to: snappish('The snapshot that it is compared with.'),
      kind: list(oneOf(PAIR_KINDS), 'Only pairs of these kinds; repeat the parameter.'),
      ...paged('Pairs'),
    },
    answers: gives('One page.', comparison, comparisonExample),
    errors: NO_SNAPSHOT,
  }),
} as const;
