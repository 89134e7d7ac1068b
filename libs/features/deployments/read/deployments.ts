import type {
  DetailedDeploymentPage,
  OrgDeployment,
  OrgDeploymentPage,
  RepoDeployment,
  RepoDeploymentPage,
} from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { links } from '@assurance/contracts/http/links';
import { findEnvironmentIdsByName, findSelectedEnvironmentIds } from '@assurance/environments/lookups/environments';
import { linkedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { repoIdsByIdOrName, findRepoIdsByName, findSelectedRepoIds } from '@assurance/flows/lookups/repos';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { detailedDeployment, flowNamesOfDeployments, orgDeployment, repoDeployment } from './deployments/answer';
import { deploymentsView } from './deployments/follow';
import { type DeploymentFilter, listDeployments, withReplaced } from './deployments/list';
import { listKinds } from './figures/kinds';

/** Epoch seconds, both ends included. */
interface Window {
  readonly start: number;
  readonly end: number;
}

/** Lists deployments of an organization (specification 4.5). */
export class ListDeployments extends queryBy<
  {
    window: Window;
    page: PageRequest;
    repoName: string | undefined;
    environment: string | undefined;
    /** Tags of environments. */
    tags: readonly string[];
  },
  ViewAnswer<OrgDeploymentPage>
>() {}

@QueryHandler(ListDeployments)
export class ListDeploymentsHandler extends ViewHandler implements IQueryHandler<ListDeployments> {
  async execute(query: ListDeployments): Promise<ViewAnswer<OrgDeploymentPage>> {
    const { caller, window, page, repoName, environment, tags } = query;
    const names = environment === undefined ? [] : [environment];
    const filter: DeploymentFilter = {
      org: caller.org.id,
      repos: repoName === undefined ? null : await findRepoIdsByName(this.ports.documents, caller.org, repoName),
      environments: await findSelectedEnvironmentIds(this.ports.documents, caller.org, { names, tags }),
      ...window,
    };
    const site = siteOf(this.settings, caller);
    const result = await this.views.read(deploymentsView, caller, (documents) =>
      listDeployments(documents, filter, page),
    );
    const flowNameOf = await flowNamesOfDeployments(this.ports.documents, result.value.rows);
    const deployments: OrgDeployment[] = result.value.rows.map((row) => orgDeployment(site, row, flowNameOf));
    const address = `${links.api(site)}/deployments/${encodeURIComponent(caller.org.name)}`;
    const parameters = {
      repo_name: repoName,
      env_name: environment,
      tag: tags,
      start_ts: window.start,
      end_ts: window.end,
    };
    const value = { ...linkedPage(address, parameters, page, result.value), deployments };
    return { value, behind: result.behind };
  }
}

/** Lists deployments of an organization, each with its kind and the artifact that it replaced. Without kinds, it lists all. */
export class ListDetailedDeployments extends queryBy<
  {
    window: Window;
    page: PageRequest;
    repoName: string | undefined;
    /** Internal id of a repository. */
    repoId: string | undefined;
    environments: readonly string[];
    /** Tags of environments. */
    tags: readonly string[];
    kinds: readonly DeploymentKind[];
  },
  ViewAnswer<DetailedDeploymentPage>
>() {}

@QueryHandler(ListDetailedDeployments)
export class ListDetailedDeploymentsHandler extends ViewHandler implements IQueryHandler<ListDetailedDeployments> {
  async execute(query: ListDetailedDeployments): Promise<ViewAnswer<DetailedDeploymentPage>> {
    const { caller, window, page, repoName, repoId, environments, tags, kinds } = query;
    const filter: DeploymentFilter = {
      org: caller.org.id,
      repos: await findSelectedRepoIds(this.ports.documents, caller.org, { name: repoName, id: repoId }),
      environments: await findSelectedEnvironmentIds(this.ports.documents, caller.org, { names: environments, tags }),
      ...window,
    };
    const site = siteOf(this.settings, caller);
    const { value, behind } = await this.views.read(deploymentsView, caller, async (documents) => {
      const { rows, ...rest } =
        kinds.length === 0
          ? await listDeployments(documents, filter, page)
          : await listKinds(documents, { ...filter, kinds }, page);
      return { rows: await withReplaced(documents, rows), ...rest };
    });
    const address = `${links.api(site)}/deployments/${encodeURIComponent(caller.org.name)}/detailed`;
    const parameters = {
      repo_name: repoName,
      repo_id: repoId,
      env_name: environments,
      tag: tags,
      kind: kinds,
      start_ts: window.start,
      end_ts: window.end,
    };
    const rows = value.rows.map(({ row }) => row);
    const flowNameOf = await flowNamesOfDeployments(this.ports.documents, rows);
    const deployments = value.rows.map((shown) => detailedDeployment(site, shown, flowNameOf));
    return { value: { ...linkedPage(address, parameters, page, value), deployments }, behind };
  }
}

/** Lists deployments of one repository, by its internal id or else by its exact name (specification 4.1). */
export class ListRepoDeployments extends queryBy<
  { repo: string; window: Window; page: PageRequest; environments: readonly string[] },
  Result<ViewAnswer<RepoDeploymentPage>, Refusal>
>() {}

@QueryHandler(ListRepoDeployments)
export class ListRepoDeploymentsHandler extends ViewHandler implements IQueryHandler<ListRepoDeployments> {
  async execute(query: ListRepoDeployments): Promise<Result<ViewAnswer<RepoDeploymentPage>, Refusal>> {
    const { caller, window, page, environments } = query;
    const repos = await repoIdsByIdOrName(this.ports.documents, caller.org, query.repo);
    if (repos.length === 0) return err({ kind: 'repo-unknown', name: query.repo });
    const filter: DeploymentFilter = {
      org: caller.org.id,
      repos,
      environments:
        environments.length === 0
          ? null
          : await findEnvironmentIdsByName(this.ports.documents, caller.org, environments),
      ...window,
    };
    const site = siteOf(this.settings, caller);
    const result = await this.views.read(deploymentsView, caller, async (documents) => {
      const { rows, ...rest } = await listDeployments(documents, filter, page);
      return { rows: await withReplaced(documents, rows), ...rest };
    });
    const rows = result.value.rows.map(({ row }) => row);
    const flowNameOf = await flowNamesOfDeployments(this.ports.documents, rows);
    const deployments: RepoDeployment[] = result.value.rows.map((shown) => repoDeployment(site, shown, flowNameOf));
    const address = `${links.api(site)}/repos/${encodeURIComponent(caller.org.name)}/${encodeURIComponent(query.repo)}/deployments`;
    const parameters = { env: environments, start_ts: window.start, end_ts: window.end };
    const value = { ...linkedPage(address, parameters, page, result.value), deployments };
    return ok({ value, behind: result.behind });
  }
}
