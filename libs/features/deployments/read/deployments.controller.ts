import { routes } from '@assurance/contracts/http/routes/routes';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { CLOCK, type Clock } from '@assurance/event-sourcing/tokens';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController, requestedWindow } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { bucketsOf, bucketsProblem } from './buckets';
import { GetDeliveryFigures } from './compared';
import { ListDeployments, ListDetailedDeployments, ListRepoDeployments } from './deployments';
import { GetDeploymentMetrics } from './metrics';

@Controller()
export class DeploymentsController extends QueriesController {
  constructor(
    queries: QueryBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(queries);
  }

  @Route(routes.listDeployments)
  async ofOrganization(@RequestCall() call: CallOf<typeof routes.listDeployments>) {
    const { repo_name, env_name, tag } = call.query;
    const window = this.window(call.query);
    const query = new ListDeployments({
      caller: callerOf(call),
      window,
      page: pageRequestOf(call.query),
      repoName: repo_name,
      environment: env_name,
      tags: tag,
    });
    const result = await this.queries.execute(query);
    return answer(200, result.value, behindHeader(result));
  }

  @Route(routes.listRepoDeployments)
  async ofRepository(@RequestCall() call: CallOf<typeof routes.listRepoDeployments>) {
    const { env } = call.query;
    const window = this.window(call.query);
    return this.answerViewQuery(
      new ListRepoDeployments({
        caller: callerOf(call),
        repo: call.params.repo,
        window,
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
    const result = await this.queries.execute(query);
    return answer(200, result.value, behindHeader(result));
  }

  @Route(routes.getDeploymentMetrics)
  async metrics(@RequestCall() call: CallOf<typeof routes.getDeploymentMetrics>) {
    const { bucket, time_zone = 'UTC', repo_name, env_name } = call.query;
    const window = this.window(call.query);
    const problem = bucketsProblem(window, time_zone);
    if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: problem });
    const buckets = bucketsOf(window, bucket, time_zone);
    const result = await this.queries.execute(
      new GetDeploymentMetrics({ caller: callerOf(call), buckets, repoName: repo_name, environments: env_name }),
    );
    return answer(200, { time_zone, bucket, ...result.value }, behindHeader(result));
  }

  @Route(routes.getDeliveryFigures)
  async figures(@RequestCall() call: CallOf<typeof routes.getDeliveryFigures>) {
    const { by, time_zone = 'UTC' } = call.query;
    const window = this.window(call.query);
    const problem = bucketsProblem(window, time_zone);
    if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: problem });
    const days = bucketsOf(window, 'day', time_zone);
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

  private window(query: Parameters<typeof requestedWindow>[0]) {
    return requestedWindow(query, this.clock.now());
  }
}
