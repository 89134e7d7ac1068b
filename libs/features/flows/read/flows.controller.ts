import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import { routes } from '@assurance/contracts/http/routes/routes';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { behindHeader } from '@assurance/event-sourcing/projection/views';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { optionalPage, pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetArtifact, GetArtifactsOfCommit, GetLatestCommit, ListArtifacts } from './artifacts';
import { GetFlow } from './flows';
import { GetRepo, ListRepos } from './repos';
import { Search } from './search';
import { GetTrail, ListTrails } from './trails';

const WHOLE: PageRequest = { page: 1, perPage: WHOLE_LIST_MAX };

/** Queries for flows, repositories, trails and artifacts, and the search. */
@Controller()
export class FlowQueriesController extends QueriesController {
  @Route(routes.getFlow)
  async flow(@RequestCall() call: CallOf<typeof routes.getFlow>) {
    return this.answerViewQuery(new GetFlow({ caller: callerOf(call), name: call.params.flow }));
  }

  @Route(routes.listRepos)
  async repos(@RequestCall() call: CallOf<typeof routes.listRepos>) {
    const { sort_direction, name, search, provider, tag, repo_id, vcs_instance, namespace } = call.query;
    const names = { name, search, provider, tags: tag, externalId: repo_id };
    const filter = { ...names, vcsInstance: vcs_instance, namespace };
    const page = pageRequestOf(call.query);
    const query = new ListRepos({ caller: callerOf(call), filter, page, direction: sort_direction });
    return this.answerViewPage(routes.listRepos, call, query);
  }

  @Route(routes.getRepo)
  async repo(@RequestCall() call: CallOf<typeof routes.getRepo>) {
    const { provider, id } = call.query;
    return this.answerViewQuery(new GetRepo({ caller: callerOf(call), name: call.params.name, provider, id }));
  }

  @Route(routes.listTrails)
  async trails(@RequestCall() call: CallOf<typeof routes.listTrails>) {
    const { flow, fingerprint, flow_tag } = call.query;
    const selection = { flow, fingerprint, flowTag: flow_tag };
    const query = new ListTrails({ caller: callerOf(call), selection, page: pageRequestOf(call.query) });
    return this.answerViewPage(routes.listTrails, call, query);
  }

  @Route(routes.listFlowTrails)
  async trailsOfFlow(@RequestCall() call: CallOf<typeof routes.listFlowTrails>) {
    const page = optionalPage(call.query, 50);
    const selection = { flow: call.params.flow };
    const result = await this.runQuery(new ListTrails({ caller: callerOf(call), selection, page: page ?? WHOLE }));
    const { data, pagination } = result.value;
    if (page !== null) {
      const links = this.linkHeader(routes.listFlowTrails, call, result.ends, {}, page);
      return answer(200, result.value, { ...behindHeader(result), ...links });
    }
    const cutHeaders: Readonly<Record<string, string>> =
      pagination.total > data.length ? { 'x-total-count': String(pagination.total) } : {};
    return answer(200, data, { ...behindHeader(result), ...cutHeaders });
  }

  @Route(routes.getTrail)
  async trail(@RequestCall() call: CallOf<typeof routes.getTrail>) {
    const { flow, trail } = call.params;
    return this.answerQuery(new GetTrail({ caller: callerOf(call), flow, trail }));
  }

  @Route(routes.listArtifacts)
  async artifacts(@RequestCall() call: CallOf<typeof routes.listArtifacts>) {
    const { flow_name, repo_name } = call.query;
    const page = pageRequestOf(call.query);
    const query = new ListArtifacts({ caller: callerOf(call), flow: flow_name, repo: repo_name, page });
    return this.answerViewPage(routes.listArtifacts, call, query);
  }

  @Route(routes.listFlowArtifacts)
  async artifactsOfFlow(@RequestCall() call: CallOf<typeof routes.listFlowArtifacts>) {
    const { flow } = call.params;
    const page = pageRequestOf(call.query);
    const query = new ListArtifacts({ caller: callerOf(call), flow, repo: undefined, page });
    return this.answerViewPage(routes.listFlowArtifacts, call, query);
  }

  @Route(routes.getArtifact)
  async artifact(@RequestCall() call: CallOf<typeof routes.getArtifact>) {
    const { flow, fingerprint } = call.params;
    const { trail, attestation_id: attestation } = call.query;
    return this.answerQuery(new GetArtifact({ caller: callerOf(call), flow, fingerprint, trail, attestation }));
  }

  @Route(routes.getArtifactsOfCommit)
  async artifactsOfCommit(@RequestCall() call: CallOf<typeof routes.getArtifactsOfCommit>) {
    const { flow, sha } = call.params;
    const { trail } = call.query;
    const page = optionalPage(call.query, 50);
    const query = new GetArtifactsOfCommit({ caller: callerOf(call), flow, commit: sha, trail, page });
    const { artifacts, count } = await this.runQuery(query);
    return answer(200, artifacts, { 'x-total-count': String(count) });
  }

  @Route(routes.getLatestCommit)
  async latestCommit(@RequestCall() call: CallOf<typeof routes.getLatestCommit>) {
    const { flow, fingerprint } = call.params;
    return this.answerQuery(
      new GetLatestCommit({ caller: callerOf(call), flow, fingerprint, branch: call.query.branch }),
    );
  }

  @Route(routes.search)
  async search(@RequestCall() call: CallOf<typeof routes.search>) {
    const page = optionalPage(call.query, 50);
    const result = await this.runQuery(new Search({ caller: callerOf(call), value: call.params.value, page }));
    return answer(200, result.value, { ...behindHeader(result), 'x-total-count': String(result.count) });
  }
}
