import type { DeploymentMetrics, SecondsSpread } from '@assurance/contracts/deployments/answers/metrics';
import { findEnvironmentIdsByName } from '@assurance/environments/lookups/environments';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { findRepoIdsByName } from '@assurance/flows/lookups/repos';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { DatedBucket } from './buckets';
import { deploymentsView } from './deployments/follow';
import { deploymentFigures, figuresSum } from './figures/read';
import type { Figures } from './figures/rows';
import { mean, quantile, type Sketch, SKETCH_ERROR } from './figures/sketch';

/** Gets deployment figures by time bucket, for environments with these names, or for all if there are no names. */
export class GetDeploymentMetrics extends queryBy<
  { buckets: readonly DatedBucket[]; repoName: string | undefined; environments: readonly string[] },
  ViewAnswer<MetricsFigures>
>() {}

type MetricsFigures = Pick<DeploymentMetrics, 'relative_error' | 'totals' | 'buckets'>;

@QueryHandler(GetDeploymentMetrics)
export class GetDeploymentMetricsHandler extends ViewHandler implements IQueryHandler<GetDeploymentMetrics> {
  async execute({ caller, buckets, repoName, environments }: GetDeploymentMetrics) {
    const filter = {
      org: caller.org.id,
      repos: repoName === undefined ? null : await findRepoIdsByName(this.ports.documents, caller.org, repoName),
      environments:
        environments.length === 0
          ? null
          : await findEnvironmentIdsByName(this.ports.documents, caller.org, environments),
    };
    const { value, behind } = await this.views.read(deploymentsView, caller, (documents) =>
      deploymentFigures(documents, filter, buckets),
    );
    const answerOf = (figures: Figures) => figuresAnswer(figures, filter.repos === null);
    return {
      value: {
        relative_error: SKETCH_ERROR,
        totals: answerOf(figuresSum(value)),
        buckets: buckets.map(({ date, from, to }, i) => ({
          date,
          start: from,
          end: to,
          ...answerOf(value[i] ?? figuresSum([])),
        })),
      },
      behind,
    };
  }
}

/** @param recovers whether to include recoveries: environments have them, repositories do not */
function figuresAnswer({ deployments, rollbacks, lead, recovery }: Figures, recovers: boolean) {
  return {
    deployments,
    rollbacks,
    lead_time: distributionOf(lead),
    recoveries: recovers ? recovery.count : null,
    recovery_time: recovers ? distributionOf(recovery) : null,
  };
}

export function distributionOf(sketch: Sketch): SecondsSpread | null {
  const average = mean(sketch);
  if (average === null) return null;
  const at = (part: number) => quantile(sketch, part) ?? average;
  return {
    count: sketch.count,
    mean: average,
    p10: at(0.1),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
  };
}
