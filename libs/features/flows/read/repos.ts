import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import type { RepoAnswer, RepoFilterOptions, RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { TagChoice } from '@assurance/contracts/http/answers/common';
import { links } from '@assurance/contracts/http/links';
import { distinctTags, linkedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler, ViewHandler, type ViewPage } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { everyRepo, findRepo, listRepos, type RepoFilter, findReposByName } from '../lookups/repos';
import { latestActivity, repoActivityView } from './repos/activity';
import { repoAnswer } from './repos/answer';
import { filterOptions } from './repos/filter-options';

/** Lists one page of repositories. */
export class ListRepos extends queryBy<
  { filter: Omit<RepoFilter, 'org'>; page: PageRequest; direction: 'asc' | 'desc' },
  Result<ViewPage<RepoPage>, Refusal>
>() {}

@QueryHandler(ListRepos)
export class ListReposHandler extends ViewHandler implements IQueryHandler<ListRepos> {
  async execute({ caller, filter, page, direction }: ListRepos): Promise<Result<ViewPage<RepoPage>, Refusal>> {
    const site = siteOf(this.settings, caller);
    const scopedFilter = { ...filter, org: caller.org.id };
    const { repos, ...rest } = await listRepos(this.ports.documents, scopedFilter, page, direction);
    const { value: latest, behind } = await this.views.read(repoActivityView, caller, (documents) =>
      latestActivity(documents, repos),
    );
    const { name, search, provider, tags, externalId, vcsInstance, namespace } = filter;
    const parameters = {
      name,
      search,
      provider,
      tag: tags,
      repo_id: externalId,
      vcs_instance: vcsInstance,
      namespace,
      sort_direction: direction,
    };
    const address = `${links.api(site)}/repos/${encodeURIComponent(caller.org.name)}`;
    const body = {
      ...linkedPage(address, parameters, page, rest),
      repos: repos.map((repo) => repoAnswer(site, repo, latest(repo))),
    };
    return ok({ value: body, behind, ends: rest });
  }
}

/** Lists the tags of repositories of an organization: some of them, and their total number. */
export class ListRepoTags extends queryBy<object, { readonly tags: readonly TagChoice[]; readonly count: number }>() {}

@QueryHandler(ListRepoTags)
export class ListRepoTagsHandler extends ReadingHandler implements IQueryHandler<ListRepoTags> {
  async execute({ caller: { org } }: ListRepoTags) {
    const tags = await distinctTags([everyRepo(this.ports.documents, { org: org.id })]);
    return { tags: tags.slice(0, WHOLE_LIST_MAX), count: tags.length };
  }
}

/** Gets the values by which the list of repositories can be filtered. */
export class GetRepoFilterOptions extends queryBy<
  { filter: Pick<RepoFilter, 'provider' | 'vcsInstance' | 'namespace' | 'tags'> },
  RepoFilterOptions
>() {}

@QueryHandler(GetRepoFilterOptions)
export class GetRepoFilterOptionsHandler extends ReadingHandler implements IQueryHandler<GetRepoFilterOptions> {
  async execute({ caller: { org }, filter }: GetRepoFilterOptions): Promise<RepoFilterOptions> {
    return filterOptions(this.ports.documents, { ...filter, org: org.id });
  }
}

/** Gets one repository, by its internal id if one is given, otherwise by its name and an optional provider. */
export class GetRepo extends queryBy<
  { name: string; provider: string | undefined; id: string | undefined },
  Result<ViewAnswer<RepoAnswer>, Refusal>
>() {}

@QueryHandler(GetRepo)
export class GetRepoHandler extends ViewHandler implements IQueryHandler<GetRepo> {
  async execute(query: GetRepo): Promise<Result<ViewAnswer<RepoAnswer>, Refusal>> {
    const { caller } = query;
    const candidates = await this.find(query);
    if (!candidates.ok) return candidates;
    const { value: latest, behind } = await this.views.read(repoActivityView, caller, (documents) =>
      latestActivity(documents, candidates.value),
    );
    const [repo] = candidates.value.toSorted((a, b) => (latest(b) ?? b.createdAt) - (latest(a) ?? a.createdAt));
    if (repo === undefined) throw new Error('no repository was found, and none was refused');
    return ok({ value: repoAnswer(siteOf(this.settings, caller), repo, latest(repo)), behind });
  }

  /** Finds repositories at one address: several if it was made anew there, with another id of its provider. */
  private async find({ caller: { org }, name, provider, id }: GetRepo): Promise<Result<readonly Repo[], Refusal>> {
    if (id !== undefined) {
      const repo = await findRepo(this.ports.documents, org, id);
      return repo === null ? err({ kind: 'repo-unknown', name: id }) : ok([repo]);
    }
    const repos = await findReposByName(this.ports.documents, { org: org.id, name, provider });
    const [first] = repos;
    if (first === undefined) return err({ kind: 'repo-unknown', name });
    const isAtOneAddress = repos.every((repo) => repo.url === first.url && repo.provider === first.provider);
    return isAtOneAddress ? ok(repos) : err({ kind: 'repo-ambiguous', name, repos });
  }
}
