import { FREQUENCY_DAYS } from '@assurance/contracts/deployments/routes/deployments';
import { routes } from '@assurance/contracts/http/routes/routes';
import { windowProblem } from '@assurance/contracts/http/routes/window';
import { type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { isoOf } from '@assurance/kernel';
import { Controller } from '@nestjs/common';
import { GetDeployment, GetDeploymentFrequency, ListEnvironmentDeployments } from './environment-deployments';
import { GetRepoDeploymentStatistics } from './repo-statistics';

const DAY_SECONDS = 86_400;
const USUAL_DAYS = 30;

/** Queries for deployments of one environment, of one artifact there, and for deployment times of a repository. */
@Controller()
export class EnvironmentDeploymentsController extends QueriesController {
  @Route(routes.getDeployment)
  async getDeployment(@RequestCall() call: CallOf<typeof routes.getDeployment>) {
    const { env: environment, fingerprint } = call.params;
    return this.answerViewQuery(new GetDeployment({ caller: callerOf(call), environment, fingerprint }));
  }

  @Route(routes.listEnvironmentDeployments)
  async ofEnvironment(@RequestCall() call: CallOf<typeof routes.listEnvironmentDeployments>) {
    const { from, to, page, page_size, per_page = page_size, after, before } = call.query;
    const end = to ?? this.clock.now() / 1_000;
    const start = from ?? Math.max(0, end - USUAL_DAYS * DAY_SECONDS);
    const problem = windowProblem(start, end, (seconds) => isoOf(seconds * 1_000));
    if (problem !== null) throw new RefusalError({ kind: 'invalid', errors: { from: problem } });
    return this.answerViewQuery(
      new ListEnvironmentDeployments({
        caller: callerOf(call),
        environment: call.params.env,
        window: { start, end },
        page: pageRequestOf({ page, per_page, after, before }),
      }),
    );
  }

  @Route(routes.getDeploymentFrequency)
  async frequency(@RequestCall() call: CallOf<typeof routes.getDeploymentFrequency>) {
    const end = this.clock.now() / 1_000;
    const window = { start: end - FREQUENCY_DAYS * DAY_SECONDS, end };
    const { env: environment } = call.params;
    return this.answerViewQuery(
      new GetDeploymentFrequency({ caller: callerOf(call), environment, window, flow: call.query.flow_id }),
    );
  }

  @Route(routes.getRepoDeploymentStatistics)
  async ofRepository(@RequestCall() call: CallOf<typeof routes.getRepoDeploymentStatistics>) {
    const window = this.window(call.query);
    const { env: environments } = call.query;
    const query = { caller: callerOf(call), repo: call.params.repo, window, environments };
    return this.answerViewQuery(new GetRepoDeploymentStatistics(query));
  }
}
