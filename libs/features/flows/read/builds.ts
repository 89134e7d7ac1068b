import type { Build, BuildPage, BuildStatistics } from '@assurance/contracts/flows/answers/build';
import { BUILD_MOMENTS_MAX } from '@assurance/contracts/flows/routes/builds';
import { links } from '@assurance/contracts/http/links';
import type { Window } from '@assurance/contracts/http/routes/window';
import { linkedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findSelectedRepoIds, reposById, type RepoSelection } from '../lookups/repos';
import { buildMoments, listBuilds } from './artifacts/builds';
import { artifactsView } from './artifacts/follow';
import { readReports } from './artifacts/list';
import type { ArtifactRow } from './artifacts/rows';
import { flowsById } from './trails/list';

/** Lists one page of builds of an organization or of repositories. */
export class ListBuilds extends queryBy<
  { window: Window; page: PageRequest; selection: RepoSelection },
  ViewAnswer<BuildPage>
>() {}

@QueryHandler(ListBuilds)
export class ListBuildsHandler extends ViewHandler implements IQueryHandler<ListBuilds> {
  async execute({ caller, window, page, selection }: ListBuilds): Promise<ViewAnswer<BuildPage>> {
    const repos = await findSelectedRepoIds(this.ports.documents, caller.org, selection);
    const filter = { org: caller.org.id, repos, ...window };
    const { value, behind } = await this.views.read(artifactsView, caller, (documents) =>
      listBuilds(documents, filter, page),
    );
    const { name, id, externalId } = selection;
    const parameters = {
      repo_id: externalId,
      repo_name: name,
      repo_inner_id: id,
      start_ts: window.start,
      end_ts: window.end,
    };
    const site = siteOf(this.settings, caller);
    const address = `${links.api(site)}/builds/${encodeURIComponent(caller.org.name)}`;
    const builds = await this.describeBuilds(caller, value.rows);
    return { value: { ...linkedPage(address, parameters, page, value), builds }, behind };
  }

  private async describeBuilds(caller: Caller, rows: readonly ArtifactRow[]): Promise<Build[]> {
    const { documents } = this.ports;
    const reports = await readReports(documents, rows);
    const flowIds = reports.map(({ first }) => first.flow.id);
    const flows = await flowsById(documents, flowIds);
    const repoIds = reports.flatMap(({ first }) => first.repo?.id ?? []);
    const repos = await reposById(documents, repoIds);
    const site = siteOf(this.settings, caller);
    return reports.map(({ fingerprint, first: { flow, repo, trail, reportedAt, artifactId } }) => {
      const flowName = flows.get(flow.id)?.name ?? flow.name;
      const existing = repo === null ? undefined : repos.get(repo.id);
      return {
        created_at: reportedAt / 1000,
        fingerprint,
        flow_name: flowName,
        trail_name: trail ?? '',
        repo_info: existing === undefined ? null : { name: existing.name, repo_id: existing.externalId ?? '' },
        _links: {
          artifact: {
            self: links.artifact(site, flowName, fingerprint),
            html: links.artifactPage(site, flowName, fingerprint, artifactId),
          },
        },
      };
    });
  }
}

/** Gets when the newest builds of a window were reported. */
export class GetBuildStatistics extends queryBy<
  { window: Window; selection: RepoSelection },
  ViewAnswer<BuildStatistics>
>() {}

@QueryHandler(GetBuildStatistics)
export class GetBuildStatisticsHandler extends ViewHandler implements IQueryHandler<GetBuildStatistics> {
  async execute({ caller, window, selection }: GetBuildStatistics): Promise<ViewAnswer<BuildStatistics>> {
    const repos = await findSelectedRepoIds(this.ports.documents, caller.org, selection);
    const filter = { org: caller.org.id, repos, ...window };
    const { value, behind } = await this.views.read(artifactsView, caller, (documents) =>
      buildMoments(documents, filter, BUILD_MOMENTS_MAX),
    );
    const { moments, count } = value;
    const { start, end } = window;
    return { value: { start_ts: start, end_ts: end, total_count: count, created_at: moments }, behind };
  }
}
