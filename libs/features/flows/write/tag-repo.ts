import { type ChangeTags, decideTagRepo } from '@assurance/access/domain/naming/tags';
import { streams } from '@assurance/contracts/events/streams';
import type { Repo } from '@assurance/contracts/flows/documents';
import type { RepoEvent } from '@assurance/contracts/flows/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { joinedOf, repo as repos } from '../domain/repo';

/** Changes the tags of a repository, by its internal id. */
export class TagRepo extends commandBy<{ id: string; tags: ChangeTags }>() {}

@CommandHandler(TagRepo)
export class TagRepoHandler implements ICommandHandler<TagRepo> {
  constructor(private readonly streams: Streams) {}

  async execute({ caller, id, tags }: TagRepo): Promise<Result<null, FeatureRefusal>> {
    const unknownRepo = { kind: 'repo-unknown', name: id } as const;
    const { state: repo } = await this.streams.load(repos, streams.repo(id));
    // Use the repository that it was joined to. That one is the oldest and is not joined to another.
    const target = repo?.org === joinedOf(caller.org.id) ? (repo.joined ?? id) : id;
    const outcome = await this.streams.run<Repo, RepoEvent, FeatureRefusal>(
      repos,
      streams.repo(target),
      commitAuthorOf(caller),
      ({ state }) =>
        state === null || state.org !== caller.org.id ? refused(unknownRepo) : decideTagRepo(state, tags),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }
}
