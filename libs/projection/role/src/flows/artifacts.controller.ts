import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetArtifacts, GetLatestCommit, ListArtifacts } from './artifacts';
import { Search } from './search';
import { behindHeader } from '../views/view';

@Controller()
export class ArtifactQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listArtifacts)
  async list(@TheCall() call: CallOf<typeof routes.listArtifacts>) {
    const { page, per_page, flow_name, repo_name } = call.query;
    const query = new ListArtifacts(callerOf(call), flow_name, repo_name, { page, perPage: per_page });
    const seen = unwrap(await this.queries.execute(query));
    return answer(200, seen.value, behindHeader(seen));
  }

  @Route(routes.listFlowArtifacts)
  async ofFlow(@TheCall() call: CallOf<typeof routes.listFlowArtifacts>) {
    const { page, per_page } = call.query;
    const query = new ListArtifacts(callerOf(call), call.params.flow, undefined, { page, perPage: per_page });
    const seen = unwrap(await this.queries.execute(query));
    return answer(200, seen.value, behindHeader(seen));
  }

  @Route(routes.getArtifact)
  async get(@TheCall() call: CallOf<typeof routes.getArtifact>) {
    const { flow, fingerprint } = call.params;
    const query = new GetArtifacts(callerOf(call), flow, 'fingerprint', fingerprint, call.query.trail);
    const [found] = unwrap(await this.queries.execute(query));
    return answer(200, found);
  }

  @Route(routes.getArtifactsOfCommit)
  async ofCommit(@TheCall() call: CallOf<typeof routes.getArtifactsOfCommit>) {
    const { flow, sha } = call.params;
    const query = new GetArtifacts(callerOf(call), flow, 'commit', sha, call.query.trail);
    return answer(200, unwrap(await this.queries.execute(query)));
  }

  @Route(routes.getLatestCommit)
  async latestCommit(@TheCall() call: CallOf<typeof routes.getLatestCommit>) {
    const { flow, fingerprint } = call.params;
    const query = new GetLatestCommit(callerOf(call), flow, fingerprint, call.query.branch);
    return answer(200, unwrap(await this.queries.execute(query)));
  }

  @Route(routes.search)
  async search(@TheCall() call: CallOf<typeof routes.search>) {
    return answer(200, unwrap(await this.queries.execute(new Search(callerOf(call), call.params.value))));
  }
}
