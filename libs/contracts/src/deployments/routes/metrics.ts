import { gives } from '../../http/answers/common';
import { names } from '../../http/params';
import { reads, route } from '../../http/route';
import { deploymentPage } from '../../http/routes/window';
import { integer, oneOf, text } from '../../http/shape';
import { BUCKETS, COMPARED, deliveryFigures, deploymentMetrics } from '../answers/metrics';

const spread = { count: 3, mean: 5400, p10: 1807.4, p25: 1807.4, p50: 3636.2, p75: 3636.2, p90: 3636.2 };
const figures = { deployments: 4, rollbacks: 1, lead_time: spread, recoveries: 0, recovery_time: null };

const compared = { deployments: 4, rollbacks: 1, change_failure_rate: 0.25, lead_time: spread };

export const metricRoutes = {
  getDeploymentMetrics: route('GET', '/api/v2/deployments/{org}/metrics', {
    ...reads('Deployments'),
    summary: 'Get delivery metrics',
    description:
      'Deployments, lead times, rollbacks and recovery times of verdicts, by days, weeks or months of a time zone. The window is widened to whole buckets. At most 366 days.',
    query: {
      start_ts: deploymentPage.start_ts,
      end_ts: deploymentPage.end_ts,
      bucket: oneOf(BUCKETS, 'The length of a bucket. Weeks begin on Monday.', { default: 'day' }),
      time_zone: text('An IANA name such as `Europe/Berlin`; UTC unless given.'),
      repo_name: text('Only from repositories of exactly this name.', { min: 1 }),
      env_name: names('Only into these environments, by name; repeat the parameter.'),
    },
    answers: gives('The metrics.', deploymentMetrics, {
      time_zone: 'Europe/Berlin',
      bucket: 'week',
      relative_error: 0.01,
      totals: figures,
      buckets: [{ date: '2026-11-02', start: 1793574000, end: 1794178800, ...figures }],
    }),
  }),
  getDeliveryFigures: route('GET', '/api/v2/deployments/{org}/figures', {
    ...reads('Deployments'),
    summary: 'Compare delivery metrics',
    description:
      'Deployments, rollbacks and lead times of each environment or of each repository, and of as much time before. The window is widened to whole days of a time zone. At most 366 days.',
    query: {
      by: oneOf(COMPARED, 'Whose figures they are.', { default: 'environment' }),
      page: integer('Number of the page.', { min: 1, default: 1 }),
      per_page: integer('Environments or repositories per page.', { min: 1, max: 50, default: 25 }),
      start_ts: deploymentPage.start_ts,
      end_ts: deploymentPage.end_ts,
      time_zone: text('An IANA name such as `Europe/Berlin`; UTC unless given.'),
    },
    answers: gives('The figures.', deliveryFigures, {
      page: 1,
      per_page: 25,
      total_pages: 1,
      total_count: 1,
      start: 1793574000,
      end: 1795993200,
      relative_error: 0.01,
      figures: [{ name: 'production', id: null, ...compared, before: compared }],
    }),
  }),
} as const;
