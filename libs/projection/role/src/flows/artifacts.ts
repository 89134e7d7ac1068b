import type { ArtifactAnswer, ArtifactListItem, LatestCommit } from '@assurance/contracts-http';
import { PORTS, type Ports, type Refusal, SETTINGS, type Settings } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import {
  artifactAnswer,
  artifactItem,
  artifactsView,
  attestedOf,
  judged,
  latestCommitBefore,
  listArtifacts,
  type PageRequest,
  reportsListed,
  reportsOf,
  runsOf,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler, type QueryResult } from '@nestjs/cqrs';
import { siteOf } from '../caller';
import { queryBy, ReadingHandler, type SeenPage } from '../queries';
import { Lookups } from '../views/lookups';
import { Views } from '../views/view';

/** The most artifacts of a commit that an answer holds. */
const OF_COMMIT_MAX = 50;

/** Reports in a flow of artifacts whose fingerprint or commit begins so, newest first, at least one. */
export class GetArtifacts extends queryBy<
  { flow: string; by: 'fingerprint' | 'commit'; prefix: string; trail: string | undefined },
  Result<[ArtifactAnswer, ...ArtifactAnswer[]], Refusal>
>() {}

@QueryHandler(GetArtifacts)
export class GetArtifactsHandler implements IQueryHandler<GetArtifacts> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller, flow: flowName, by, prefix, trail }: GetArtifacts): Promise<QueryResult<GetArtifacts>> {
    const flow = await this.lookups.flow(caller.org, flowName);
    if (!flow.ok) return flow;
    const { documents } = this.ports;
    const field = by === 'fingerprint' ? 'fingerprint' : 'first.gitCommit';
    const found = await reportsOf(documents, { flow: flow.value.id }, field, prefix);
    const wanted = found.filter(({ first }) => trail === undefined || first.trail === trail);
    const answers: ArtifactAnswer[] = [];
    for (const one of await judged(documents, wanted.slice(0, by === 'fingerprint' ? 1 : OF_COMMIT_MAX))) {
      const runs = await runsOf(this.ports, caller.org.id, flow.value.id, one.report.fingerprint);
      answers.push(artifactAnswer(siteOf(this.settings, caller), one, runs, await attestedOf(documents, one.report)));
    }
    const [first, ...rest] = answers;
    if (first === undefined)
      return no({ kind: 'artifact-unknown', asked: prefix, org: caller.org.name, flow: flowName });
    return ok([first, ...rest]);
  }
}

/** One page of artifacts, newest first. */
export class ListArtifacts extends queryBy<
  { flow: string | undefined; repo: string | undefined; page: PageRequest },
  Result<SeenPage<ArtifactListItem[]>, Refusal>
>() {}

@QueryHandler(ListArtifacts)
export class ListArtifactsHandler implements IQueryHandler<ListArtifacts> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
    private readonly views: Views,
  ) {}

  async execute({ caller, flow, repo, page }: ListArtifacts): Promise<Result<SeenPage<ArtifactListItem[]>, Refusal>> {
    const { org } = caller;
    const found = flow === undefined ? null : await this.lookups.flow(org, flow);
    if (found?.ok === false) return found;
    const repos = repo === undefined ? null : await this.lookups.reposNamed(org, repo);
    if (repo !== undefined && repos?.length === 0) return no({ kind: 'repo-unknown', name: repo });
    const filter = { org: org.id, flow: found?.value.id ?? null, repos };
    const { value: ends, behind } = await this.views.read(artifactsView, caller, (documents) =>
      listArtifacts(documents, filter, page),
    );
    const { documents } = this.ports;
    const reports = await judged(documents, await reportsListed(documents, ends.rows));
    return ok({ value: reports.map(artifactItem), behind, ends });
  }
}

/** The commit of the artifact before. */
export class GetLatestCommit extends queryBy<
  { flow: string; fingerprint: string; branch: string | undefined },
  Result<LatestCommit, Refusal>
>() {}

@QueryHandler(GetLatestCommit)
export class GetLatestCommitHandler extends ReadingHandler implements IQueryHandler<GetLatestCommit> {
  async execute({ caller, flow, fingerprint, branch }: GetLatestCommit): Promise<Result<LatestCommit, Refusal>> {
    const found = await this.lookups.flow(caller.org, flow);
    if (!found.ok) return found;
    const commit = await latestCommitBefore(this.ports.documents, found.value.id, fingerprint, branch);
    return ok({ latest_commit: commit });
  }
}
