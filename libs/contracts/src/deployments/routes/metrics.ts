import { gives } from '../../http/answers/common';
import { choice, names, text } from '../../http/params';
import { reads, route } from '../../http/route';
import { deploymentPage } from '../../http/routes/window';
import { BUCKETS, deploymentMetrics } from '../answers/metrics';

const spread = { count: 3, mean: 5400, p10: 1807.4, p25: 1807.4, p50: 3636.2, p75: 3636.2, p90: 3636.2 };
const figures = { deployments: 4, rollbacks: 1, lead_time: spread, recoveries: 0, recovery_time: null };

export const metricRoutes = {
  getDeploymentMetrics: route('GET', '/api/v2/deployments/{org}/metrics', {
    ...reads('Deployments'),
    summary: 'Get delivery metrics',
    description:
      'Deployments, lead times, rollbacks and recovery times of verdicts, by days, weeks or months of a time zone. The window is widened to whole buckets. At most 366 days.',
    query: {
      start_ts: deploymentPage.start_ts,
      end_ts: deploymentPage.end_ts,
      bucket: choice(BUCKETS, 'day', 'The length of a bucket. Weeks begin on Monday.'),
      time_zone: text('An IANA name such as `Europe/Berlin`; UTC unless given.'),
      repo_name: text('Only from repositories of exactly this name.', 'refused'),
      env_name: names('Only into these environments, by name; repeat the parameter.'),
    },
    answers: gives('The metrics.', deploymentMetrics, {
      ...{ time_zone: 'Europe/Berlin', bucket: 'week', relative_error: 0.01, totals: figures },
      buckets: [{ date: '2026-11-02', start: 1793574000, end: 1794178800, ...figures }],
    }),
  }),
} as const;
