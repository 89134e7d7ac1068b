import { type RepoEvent, streams } from '@assurance/contracts-events';
import { type ChangeTags, decideTagRepo } from '@assurance/ingestion-domain';
import { no, ok, refused, type Result } from '@assurance/kernel';
import { type FeatureRefusal, joinedOf, type Repo, repo as repos } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { Streams } from '../core/streams';

/** Changes the tags of a repository, by its internal id. */
export class TagRepo extends commandBy<{ id: string; tags: ChangeTags }>() {}

@CommandHandler(TagRepo)
export class TagRepoHandler implements ICommandHandler<TagRepo> {
  constructor(private readonly streams: Streams) {}

  async execute({ caller, id, tags }: TagRepo): Promise<Result<null, FeatureRefusal>> {
    const unknown = { kind: 'repo-unknown', name: id } as const;
    const { state: given } = await this.streams.load(repos, streams.repo(id));
    // The one to which it was joined; that one is the oldest, and was joined to none.
    const standing = given?.org === joinedOf(caller.org.id) ? (given.joined ?? id) : id;
    const ended = await this.streams.run<Repo, RepoEvent, FeatureRefusal>(
      repos,
      streams.repo(standing),
      by(caller),
      ({ state }) => (state === null || state.org !== caller.org.id ? refused(unknown) : decideTagRepo(state, tags)),
    );
    return ended.kind === 'refused' ? no(ended.refusal) : ok(null);
  }
}
