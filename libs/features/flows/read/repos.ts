import type { RepoAnswer, RepoPage } from '@assurance/contracts/flows/answers/repo';
import { type PageRequest, totalPages } from '@assurance/event-sourcing/projection/listing';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { type Listed, queryBy, ReadingHandler } from '@assurance/http/queries';
import { no, ok, type Result } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findRepo, listRepos, type RepoFilter, reposNamed } from '../lookups/repos';
import { repoAnswer } from './repos/answer';

/** One page of repositories. */
export class ListRepos extends queryBy<
  { filter: Omit<RepoFilter, 'org'>; page: PageRequest; direction: 'asc' | 'desc' },
  Listed<RepoPage>
>() {}

@QueryHandler(ListRepos)
export class ListReposHandler implements IQueryHandler<ListRepos> {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async execute({ caller: { org }, filter, page, direction }: ListRepos): Promise<Listed<RepoPage>> {
    const { repos, count, ...ends } = await listRepos(
      this.ports.documents,
      { ...filter, org: org.id },
      page,
      direction,
    );
    const total_pages = totalPages(count, page.perPage);
    return { body: { repos: repos.map(repoAnswer), page: page.page, total_pages, total_count: count }, ends };
  }
}

/** One repository: by internal id where one is given, else by name and perhaps provider. */
export class GetRepo extends queryBy<
  { name: string; provider: string | undefined; id: string | undefined },
  Result<RepoAnswer, Refusal>
>() {}

@QueryHandler(GetRepo)
export class GetRepoHandler extends ReadingHandler implements IQueryHandler<GetRepo> {
  async execute({ caller: { org }, name, provider, id }: GetRepo): Promise<Result<RepoAnswer, Refusal>> {
    if (id !== undefined) {
      const repo = await findRepo(this.ports.documents, org, id);
      return repo === null ? no({ kind: 'repo-unknown', name: id }) : ok(repoAnswer(repo));
    }
    const found = await reposNamed(this.ports.documents, { org: org.id, name, provider });
    const [first] = found;
    if (first === undefined) return no({ kind: 'repo-unknown', name });
    if (found.length > 1) return no({ kind: 'repo-ambiguous', name, repos: found });
    return ok(repoAnswer(first));
  }
}
