import type { RepoAnswer, RepoPage } from '@assurance/contracts-http';
import { PORTS, type Ports, type Refusal } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import type { Repo } from '@assurance/model';
import {
  listRepos,
  matching,
  type PageRequest,
  repoAnswer,
  type RepoFilter,
  totalPages,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../caller';
import { Lookups } from '../views/lookups';

/** One page of repositories. */
export class ListRepos extends Query<RepoPage> {
  constructor(
    readonly caller: Caller,
    readonly filter: Omit<RepoFilter, 'org'>,
    readonly page: PageRequest,
    readonly direction: 'asc' | 'desc',
  ) {
    super();
  }
}

@QueryHandler(ListRepos)
export class ListReposHandler implements IQueryHandler<ListRepos> {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async execute({ caller: { org }, filter, page, direction }: ListRepos): Promise<RepoPage> {
    const { repos, count } = await listRepos(this.ports.documents, { ...filter, org: org.id }, page, direction);
    return {
      repos: repos.map(repoAnswer),
      page: page.page,
      total_pages: totalPages(count, page.perPage),
      total_count: count,
    };
  }
}

/** One repository: by internal id where one is given, else by name and perhaps provider. */
export class GetRepo extends Query<Result<RepoAnswer, Refusal>> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
    readonly provider: string | undefined,
    readonly id: string | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetRepo)
export class GetRepoHandler implements IQueryHandler<GetRepo> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller: { org }, name, provider, id }: GetRepo): Promise<Result<RepoAnswer, Refusal>> {
    if (id !== undefined) {
      const repo = await this.lookups.repo(org, id);
      return repo === null ? no({ kind: 'repo-unknown', name: id }) : ok(repoAnswer(repo));
    }
    const found: Repo[] = [];
    for await (const repo of matching(this.ports.documents, { org: org.id, name, provider })) {
      found.push(repo);
      if (provider !== undefined) break;
    }
    const [first] = found;
    if (first === undefined) return no({ kind: 'repo-unknown', name });
    if (found.length > 1) return no({ kind: 'repo-ambiguous', name, providers: found.map((repo) => repo.provider) });
    return ok(repoAnswer(first));
  }
}
