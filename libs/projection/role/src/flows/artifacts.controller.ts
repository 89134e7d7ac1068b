import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { GetArtifacts, GetLatestCommit, ListArtifacts } from './artifacts';
import { Search } from './search';

@Controller()
export class ArtifactQueriesController extends QueriesController {
  @Route(routes.listArtifacts)
  async list(@TheCall() call: CallOf<typeof routes.listArtifacts>) {
    const { flow_name, repo_name } = call.query;
    return this.seen(
      new ListArtifacts({ caller: callerOf(call), flow: flow_name, repo: repo_name, page: pageAsked(call.query) }),
    );
  }

  @Route(routes.listFlowArtifacts)
  async ofFlow(@TheCall() call: CallOf<typeof routes.listFlowArtifacts>) {
    return this.seen(
      new ListArtifacts({
        caller: callerOf(call),
        flow: call.params.flow,
        repo: undefined,
        page: pageAsked(call.query),
      }),
    );
  }

  @Route(routes.getArtifact)
  async get(@TheCall() call: CallOf<typeof routes.getArtifact>) {
    const { flow, fingerprint } = call.params;
    const query = new GetArtifacts({
      caller: callerOf(call),
      flow,
      by: 'fingerprint',
      prefix: fingerprint,
      trail: call.query.trail,
    });
    const [found] = await this.ask(query);
    return answer(200, found);
  }

  @Route(routes.getArtifactsOfCommit)
  async ofCommit(@TheCall() call: CallOf<typeof routes.getArtifactsOfCommit>) {
    const { flow, sha } = call.params;
    return this.found(
      new GetArtifacts({ caller: callerOf(call), flow, by: 'commit', prefix: sha, trail: call.query.trail }),
    );
  }

  @Route(routes.getLatestCommit)
  async latestCommit(@TheCall() call: CallOf<typeof routes.getLatestCommit>) {
    const { flow, fingerprint } = call.params;
    return this.found(new GetLatestCommit({ caller: callerOf(call), flow, fingerprint, branch: call.query.branch }));
  }

  @Route(routes.search)
  async search(@TheCall() call: CallOf<typeof routes.search>) {
    return this.found(new Search({ caller: callerOf(call), value: call.params.value }));
  }
}
