import { routes } from '@assurance/contracts/http/routes/routes';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { requestedBuckets } from './buckets';
import { GetDeliveryFigures } from './compared';
import { ListDeployments, ListDetailedDeployments, ListRepoDeployments } from './deployments';
import { GetDeploymentMetrics } from './metrics';

@Controller()
export class DeploymentsController extends QueriesController {
  @Route(routes.listDeployments)
  async ofOrganization(@RequestCall() call: CallOf<typeof routes.listDeployments>) {
    const { repo_name, env_name, tag } = call.query;
    const query = new ListDeployments({
      caller: callerOf(call),
      window: this.window(call.query),
      page: pageRequestOf(call.query),
      repoName: repo_name,
      environment: env_name,
      tags: tag,
    });
    return this.answerView(query);
  }

  @Route(routes.listRepoDeployments)
  async ofRepository(@RequestCall() call: CallOf<typeof routes.listRepoDeployments>) {
    const { env } = call.query;
    return this.answerViewQuery(
      new ListRepoDeployments({
        caller: callerOf(call),
        repo: call.params.repo,
        window: this.window(call.query),
        page: pageRequestOf(call.query),
        environments: env,
      }),
    );
  }

  @Route(routes.listDetailedDeployments)
  async listDetailed(@RequestCall() call: CallOf<typeof routes.listDetailedDeployments>) {
    const { repo_name, repo_id, env_name, tag, kind } = call.query;
    const query = new ListDetailedDeployments({
      caller: callerOf(call),
      window: this.window(call.query),
      page: pageRequestOf(call.query),
      repoName: repo_name,
      repoId: repo_id,
      environments: env_name,
      tags: tag,
      kinds: kind,
    });
    return this.answerView(query);
  }

  @Route(routes.getDeploymentMetrics)
  async metrics(@RequestCall() call: CallOf<typeof routes.getDeploymentMetrics>) {
    const { bucket, time_zone = 'UTC', repo_name, env_name } = call.query;
    const buckets = requestedBuckets(this.window(call.query), bucket, time_zone);
    const result = await this.queries.execute(
      new GetDeploymentMetrics({ caller: callerOf(call), buckets, repoName: repo_name, environments: env_name }),
    );
    return answer(200, { time_zone, bucket, ...result.value }, behindHeader(result));
  }

  @Route(routes.getDeliveryFigures)
  async figures(@RequestCall() call: CallOf<typeof routes.getDeliveryFigures>) {
    const { by, time_zone = 'UTC' } = call.query;
    const days = requestedBuckets(this.window(call.query), 'day', time_zone);
    const [start, end] = [days[0]?.from ?? 0, days.at(-1)?.to ?? 0];
    const result = await this.queries.execute(
      new GetDeliveryFigures({
        caller: callerOf(call),
        by,
        window: { from: start, to: end },
        page: { page: call.query.page, perPage: call.query.per_page },
      }),
    );
    return answer(200, { start, end, ...result.value }, behindHeader(result));
  }
}
