import { pageFields } from '../../http/answers/common';
import { component, integer, list, nullable, number, object, type TypeOf, oneOf, text } from '../../http/shape';

/** The possible lengths of a bucket of metrics. */
export const BUCKETS = ['day', 'week', 'month'] as const;

const seconds = component('SecondsSpread', {
  count: integer('How many there are.'),
  mean: number('Seconds.'),
  p10: number('Seconds; quantiles are within the relative error.'),
  p25: number('Seconds.'),
  p50: number('Seconds.'),
  p75: number('Seconds.'),
  p90: number('Seconds.'),
});

const figures = {
  deployments: integer(
    'First deployments, rollbacks and redeployments: neither what ran when reporting began, nor restarts.',
  ),
  rollbacks: integer('Returns after an artifact of the same line that came to the environment later.'),
  lead_time: nullable(seconds),
  recoveries: nullable(integer('How often an environment became compliant again. Null with a repository filter.')),
  recovery_time: nullable(seconds),
};

export const deploymentMetrics = component('DeploymentMetrics', {
  time_zone: text(),
  bucket: oneOf(BUCKETS),
  relative_error: number('The relative error of quantiles. Counts and means are exact.'),
  totals: object(figures),
  buckets: list(
    object({
      date: text('The first day of the bucket in the time zone, as `2026-11-02`.'),
      start: number('Epoch seconds.'),
      end: number('Epoch seconds; the bucket ends before this second.'),
      ...figures,
    }),
    'All keys, oldest first.',
  ),
});
export type DeploymentMetrics = TypeOf<typeof deploymentMetrics>;
export type SecondsSpread = TypeOf<typeof seconds>;

/** By what metrics can be compared. */
export const COMPARED = ['environment', 'repository'] as const;

const compared = {
  deployments: figures.deployments,
  rollbacks: figures.rollbacks,
  change_failure_rate: nullable(number('The share of deployments that were rolled back; null without a deployment.')),
  lead_time: figures.lead_time,
};

export const deliveryFigures = component('DeliveryFigures', {
  ...pageFields,
  start: number('Epoch seconds.'),
  end: number('Epoch seconds; the time ends before this second.'),
  relative_error: number('The relative error of quantiles. Counts, rates and means are exact.'),
  figures: list(
    object({
      name: text('Of the environment or the repository.'),
      id: nullable(text('Of a repository; null for environments.')),
      ...compared,
      before: object(compared),
    }),
    'By name. `before` has the figures of as much time before.',
  ),
});
export type DeliveryFigures = TypeOf<typeof deliveryFigures>;
