import { unjudged } from '../../components/answers/components';
import { component, integer, list, number, object, type TypeOf, text } from '../../http/shape';
import { lastImport } from './vulnerabilities';

/** How many vulnerabilities of each severity ran, and how many artifacts with unknown content ran. */
const counts = {
  critical: integer(),
  high: integer(),
  medium: integer(),
  low: integer(),
  none: integer('Vulnerabilities with a score of 0.'),
  unknown: integer('Vulnerabilities whose entries name no severity.'),
  ...unjudged,
};

export const environmentExposure = component('EnvironmentExposure', {
  environment: text(),
  time_zone: text(),
  last_import: lastImport,
  now: object(counts),
  days: list(
    object({
      date: text('The day in the time zone, as `2026-11-02`.'),
      start: number('Epoch seconds.'),
      end: number('Epoch seconds; the day ends before this second.'),
      ...counts,
    }),
    'Oldest first; none after today.',
  ),
});
export type EnvironmentExposure = TypeOf<typeof environmentExposure>;
