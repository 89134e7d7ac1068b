import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import type { RepoLiveArtifacts } from '@assurance/contracts/flows/answers/repo';
import type { Repo } from '@assurance/contracts/flows/documents';
import { links, type Site } from '@assurance/contracts/http/links';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findRepo, idsOf, findReposByName } from '../lookups/repos';
import { artifactsView } from './artifacts/follow';
import { flowsOfRepos, type LiveArtifact, liveArtifacts } from './repos/live';
import { flowsById } from './trails/list';

/** Gets the running artifacts of a repository: some of them, and their total number. */
export class GetRepoLiveArtifacts extends queryBy<
  { name: string; provider: string | undefined; id: string | undefined },
  Result<ViewAnswer<RepoLiveArtifacts> & { readonly count: number }, Refusal>
>() {}

@QueryHandler(GetRepoLiveArtifacts)
export class GetRepoLiveArtifactsHandler extends ViewHandler implements IQueryHandler<GetRepoLiveArtifacts> {
  async execute({ caller, name, provider, id }: GetRepoLiveArtifacts) {
    const repo = await this.find(caller, name, provider, id);
    if (repo === null) return err({ kind: 'repo-unknown', name: id ?? name } as const);
    const { documents } = this.ports;
    const repos = idsOf(repo);
    const { value, behind } = await this.views.read(artifactsView, caller, (own) => flowsOfRepos(own, repos));
    const live = await liveArtifacts(documents, caller.org.id, value, repos);
    const shownArtifacts = live.slice(0, WHOLE_LIST_MAX);
    const flows = await flowsById(
      documents,
      shownArtifacts.map(({ report }) => report.first.flow.id),
    );
    const flowOf = ({ report: { first } }: LiveArtifact) => flows.get(first.flow.id)?.name ?? first.flow.name;
    const answer = liveAnswer(siteOf(this.settings, caller), repo, shownArtifacts, flowOf);
    return ok({ value: answer, behind, count: live.length });
  }

  /** Finds a repository. If several have the name, it returns the youngest. */
  private async find(
    { org }: Caller,
    name: string,
    provider: string | undefined,
    id: string | undefined,
  ): Promise<Repo | null> {
    if (id !== undefined) return findRepo(this.ports.documents, org, id);
    const repos = await findReposByName(this.ports.documents, { org: org.id, name, provider });
    return repos.reduce<Repo | null>((a, b) => (a === null || isYounger(b, a) ? b : a), null);
  }
}

function isYounger(a: Repo, b: Repo): boolean {
  return a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt;
}

/** @param flowOf returns the current name of the artifact's flow */
function liveAnswer(
  site: Site,
  repo: Repo,
  live: readonly LiveArtifact[],
  flowOf: (liveArtifact: LiveArtifact) => string,
): RepoLiveArtifacts {
  const environments = new Map(live.map(({ environment }) => [environment.id, environment]));
  const artifacts = new Map(live.map((liveArtifact) => [liveArtifact.report.first.artifactId, liveArtifact]));
  return {
    live_artifacts: live.map(({ environment, report, snapshot, name, startedAt, compliant }) => ({
      environment_id: environment.id,
      artifact_id: report.first.artifactId,
      artifact_name: name,
      snapshot_index: snapshot,
      compliance: compliant === null ? null : compliant ? 'COMPLIANT' : 'NON-COMPLIANT',
      started_at: startedAt,
      _links: { snapshot: links.snapshot(site, environment.name, snapshot) },
    })),
    _embedded: {
      environments: [...environments.values()].map(({ id, name, type }) => ({
        id,
        name,
        type,
        _links: { self: links.environment(site, name), html: links.environmentPage(site, name) },
      })),
      artifacts: [...artifacts.values()].map((artifact) => {
        const { fingerprint, first } = artifact.report;
        const flow = flowOf(artifact);
        return {
          id: first.artifactId,
          fingerprint,
          commit_sha: first.gitCommit || null,
          commit_url: first.commitUrl,
          _links: {
            self: links.artifact(site, flow, fingerprint),
            html: links.artifactPage(site, flow, fingerprint, first.artifactId),
          },
        };
      }),
    },
    _links: { self: links.repoLiveArtifacts(site, repo), repo: links.repo(site, repo.id) },
  };
}
