import type { DetailedDeployment, DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentFrequency } from '@assurance/contracts/deployments/answers/statistics';
import { links } from '@assurance/contracts/http/links';
import { plainDigits } from '@assurance/contracts/http/patterns';
import type { Window } from '@assurance/contracts/http/routes/window';
import { COUNTED_KINDS } from '@assurance/environments/domain/deployment-kind';
import { placesOf } from '@assurance/environments/domain/members';
import { findEnvironment } from '@assurance/environments/lookups/environments';
import { linkedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { isoOf, err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler, type QueryResult } from '@nestjs/cqrs';
import { detailedDeployment, flowNamesOfDeployments } from './deployments/answer';
import { deploymentsView } from './deployments/follow';
import { countOfFlow, listDeployments, newestDeployment, withReplaced } from './deployments/list';
import { listKinds } from './figures/kinds';

const DAY_SECONDS = 86_400;

/** Gets the newest deployment of an artifact to an environment. */
export class GetDeployment extends queryBy<
  { environment: string; fingerprint: string },
  Result<ViewAnswer<DetailedDeployment>, Refusal>
>() {}

@QueryHandler(GetDeployment)
export class GetDeploymentHandler extends ViewHandler implements IQueryHandler<GetDeployment> {
  async execute({ caller, environment, fingerprint }: GetDeployment): Promise<QueryResult<GetDeployment>> {
    const result = await findEnvironment(this.ports, caller.org, environment);
    if (!result.ok) return result;
    const { value, behind } = await this.views.read(deploymentsView, caller, async (documents) => {
      const row = await newestDeployment(documents, placesOf(result.value), plainDigits(fingerprint));
      return row === null ? [] : withReplaced(documents, [row]);
    });
    const [one] = value;
    if (one === undefined) return err({ kind: 'deployment-unknown', fingerprint, environment });
    const flowNameOf = await flowNamesOfDeployments(this.ports.documents, [one.row]);
    return ok({ value: detailedDeployment(siteOf(this.settings, caller), one, flowNameOf), behind });
  }
}

/** Lists one page of deployments to an environment. */
export class ListEnvironmentDeployments extends queryBy<
  { environment: string; window: Window; page: PageRequest },
  Result<ViewAnswer<DetailedDeploymentPage>, Refusal>
>() {}

@QueryHandler(ListEnvironmentDeployments)
export class ListEnvironmentDeploymentsHandler
  extends ViewHandler
  implements IQueryHandler<ListEnvironmentDeployments>
{
  async execute({ caller, environment, window, page }: ListEnvironmentDeployments) {
    const result = await findEnvironment(this.ports, caller.org, environment);
    if (!result.ok) return result;
    const filter = { org: caller.org.id, repos: null, environments: placesOf(result.value), ...window };
    const { value, behind } = await this.views.read(deploymentsView, caller, async (documents) => {
      const { rows, ...rest } = await listDeployments(documents, filter, page);
      return { rows: await withReplaced(documents, rows), ...rest };
    });
    const site = siteOf(this.settings, caller);
    const address = `${links.environment(site, environment)}/deployments`;
    const parameters = { from: isoOf(window.start * 1_000), to: isoOf(window.end * 1_000) };
    const rows = value.rows.map(({ row }) => row);
    const flowNameOf = await flowNamesOfDeployments(this.ports.documents, rows);
    const deployments = value.rows.map((shown) => detailedDeployment(site, shown, flowNameOf));
    return ok({ value: { ...linkedPage(address, parameters, page, value), deployments }, behind });
  }
}

/** Gets how often artifacts were deployed to an environment in a window: of one flow, or of all. */
export class GetDeploymentFrequency extends queryBy<
  { environment: string; window: Window; flow: string | undefined },
  Result<ViewAnswer<DeploymentFrequency>, Refusal>
>() {}

@QueryHandler(GetDeploymentFrequency)
export class GetDeploymentFrequencyHandler extends ViewHandler implements IQueryHandler<GetDeploymentFrequency> {
  async execute({ caller, environment, window, flow }: GetDeploymentFrequency) {
    const result = await findEnvironment(this.ports, caller.org, environment);
    if (!result.ok) return result;
    const { start, end } = window;
    const environments = placesOf(result.value);
    const filter = { org: caller.org.id, repos: null, environments, kinds: COUNTED_KINDS, start, end };
    const { value, behind } = await this.views.read(deploymentsView, caller, async (documents) =>
      flow === undefined
        ? (await listKinds(documents, filter, { page: 1, perPage: 0 })).count
        : countOfFlow(documents, flow, filter),
    );
    return ok({
      value: {
        env_name: result.value.name,
        flow_id: flow ?? null,
        start_ts: start,
        end_ts: end,
        deployments: value,
        deployments_per_day: value / ((end - start) / DAY_SECONDS),
      },
      behind,
    });
  }
}
