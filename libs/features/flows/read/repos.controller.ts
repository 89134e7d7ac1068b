import { routes } from '@assurance/contracts/http/routes/routes';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetBuildStatistics, ListBuilds } from './builds';
import { GetRepoLiveArtifacts } from './live-artifacts';
import { GetRepoFilterOptions, ListRepoTags } from './repos';

/** Queries for tags, filter options, running artifacts and builds of repositories. */
@Controller()
export class RepoQueriesController extends QueriesController {
  @Route(routes.listRepoTags)
  async tags(@RequestCall() call: CallOf<typeof routes.listRepoTags>) {
    const { tags, count } = await this.queries.execute(new ListRepoTags({ caller: callerOf(call) }));
    return answer(200, tags, cutHeader(tags, count));
  }

  @Route(routes.getRepoFilterOptions)
  async filterOptions(@RequestCall() call: CallOf<typeof routes.getRepoFilterOptions>) {
    const { provider, vcs_instance, namespace, tag: tags } = call.query;
    const filter = {
      tags,
      ...(provider === undefined ? {} : { provider }),
      ...(vcs_instance === undefined ? {} : { vcsInstance: vcs_instance }),
      ...(namespace === undefined ? {} : { namespace }),
    };
    return answer(200, await this.queries.execute(new GetRepoFilterOptions({ caller: callerOf(call), filter })));
  }

  @Route(routes.getRepoLiveArtifacts)
  async liveArtifacts(@RequestCall() call: CallOf<typeof routes.getRepoLiveArtifacts>) {
    const { provider, id } = call.query;
    const query = new GetRepoLiveArtifacts({ caller: callerOf(call), name: call.params.name, provider, id });
    const result = await this.runQuery(query);
    return answer(200, result.value, {
      ...cutHeader(result.value.live_artifacts, result.count),
      ...behindHeader(result),
    });
  }

  @Route(routes.listBuilds)
  async builds(@RequestCall() call: CallOf<typeof routes.listBuilds>) {
    const window = this.window(call.query);
    const page = pageRequestOf(call.query);
    return this.answerView(
      new ListBuilds({ caller: callerOf(call), window, page, selection: selectionOf(call.query) }),
    );
  }

  @Route(routes.getBuildStatistics)
  async buildStatistics(@RequestCall() call: CallOf<typeof routes.getBuildStatistics>) {
    const window = this.window(call.query);
    return this.answerView(
      new GetBuildStatistics({ caller: callerOf(call), window, selection: selectionOf(call.query) }),
    );
  }
}

function selectionOf({
  repo_id: externalId,
  repo_name: name,
  repo_inner_id: id,
}: {
  readonly repo_id: string | undefined;
  readonly repo_name: string | undefined;
  readonly repo_inner_id: string | undefined;
}) {
  return { externalId, name, id };
}

/** Returns a header with the total number if a list is incomplete. */
function cutHeader(shown: readonly unknown[], count: number): Readonly<Record<string, string>> {
  return count > shown.length ? { 'x-total-count': String(count) } : {};
}
