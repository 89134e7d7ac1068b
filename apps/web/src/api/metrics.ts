import type { Zone } from '../ui/format';
import { nameOf, type Period } from './window';

interface MetricsFilter {
  readonly environments?: readonly string[] | undefined;
  readonly repository?: string | undefined;
}

/** The query for the figures of a period. If no environment or repository is named, the figures cover all of them. */
export const metricsQuery = (
  { start, end, bucket }: Period,
  zone: Zone,
  { environments, repository }: MetricsFilter,
) => ({
  start_ts: start,
  end_ts: end === null ? undefined : end - 1,
  bucket,
  time_zone: nameOf(zone),
  env_name: environments && [...environments],
  repo_name: repository || undefined,
});
