import type { RepoDeploymentStatistics } from '@assurance/contracts/deployments/answers/statistics';
import { DEPLOYMENT_MOMENTS_MAX } from '@assurance/contracts/deployments/routes/deployments';
import type { Window } from '@assurance/contracts/http/routes/window';
import { COUNTED_KINDS } from '@assurance/environments/domain/deployment-kind';
import { leadTimeOf } from '@assurance/environments/domain/start';
import { findEnvironmentIdsByName } from '@assurance/environments/lookups/environments';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { repoIdsByIdOrName } from '@assurance/flows/lookups/repos';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { groupBy, err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { deploymentsView } from './deployments/follow';
import type { DeploymentRow } from './deployments/rows';
import { listKinds } from './figures/kinds';

/** Gets when artifacts of a repository were deployed, by environment. */
export class GetRepoDeploymentStatistics extends queryBy<
  { repo: string; window: Window; environments: readonly string[] },
  Result<ViewAnswer<RepoDeploymentStatistics>, Refusal>
>() {}

@QueryHandler(GetRepoDeploymentStatistics)
export class GetRepoDeploymentStatisticsHandler
  extends ViewHandler
  implements IQueryHandler<GetRepoDeploymentStatistics>
{
  async execute({ caller: { org, actor }, repo, window, environments }: GetRepoDeploymentStatistics) {
    const { documents } = this.ports;
    const repos = await repoIdsByIdOrName(documents, org, repo);
    if (repos.length === 0) return err({ kind: 'repo-unknown', name: repo } as const);
    const ids = environments.length === 0 ? null : await findEnvironmentIdsByName(documents, org, environments);
    const filter = { org: org.id, repos, environments: ids, kinds: COUNTED_KINDS, ...window };
    const { value, behind } = await this.views.read(deploymentsView, { actor }, (own) =>
      listKinds(own, filter, { page: 1, perPage: DEPLOYMENT_MOMENTS_MAX }),
    );
    const { rows, count } = value;
    const answers = [...groupBy(rows, ({ environmentName }) => environmentName)].map(momentsOf);
    return ok({
      value: {
        start_ts: window.start,
        end_ts: window.end,
        total_count: count,
        environments: answers.sort((a, b) => (a.env_name < b.env_name ? -1 : 1)),
      },
      behind,
    });
  }
}

function momentsOf([name, rows]: readonly [string, readonly DeploymentRow[]]) {
  const leads = rows.map(({ kind, deployedAt, origin }) =>
    kind === 'first' ? leadTimeOf(deployedAt, origin?.commit?.timestamp) : null,
  );
  return {
    env_name: name,
    deployed_at: rows.map(({ deployedAt }) => deployedAt),
    lead_time_seconds: leads.filter((lead) => lead !== null),
  };
}
