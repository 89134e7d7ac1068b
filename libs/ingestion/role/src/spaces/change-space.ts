import { orderBy, type SpaceEvent, streams } from '@assurance/contracts-events';
import {
  decideArchiveSpace,
  decideMoveSpace,
  decideRenameSpace,
  type SpaceContent,
  type SpaceRefusal,
} from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import {
  environment,
  type FeatureRefusal,
  flow,
  NO_SPACES,
  shownIn,
  type SpaceTree,
  spaceTree,
} from '@assurance/model';
import { type CollectionDefinition, foundPages } from '@assurance/storage-ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by, type Caller } from '../core/caller';
import { Streams } from '../core/streams';

/** How many environments or flows are read at once. */
const PAGE = 500;

/** A change of an existing space. It names other spaces by their ids. */
export type SpaceChange =
  | { readonly kind: 'rename'; readonly name: string }
  | { readonly kind: 'move'; readonly parent: string }
  | { readonly kind: 'archive' };

/** Changes the space of this id. */
export class ChangeSpace extends commandBy<{ id: string; change: SpaceChange }>() {}

@CommandHandler(ChangeSpace)
export class ChangeSpaceHandler implements ICommandHandler<ChangeSpace> {
  constructor(private readonly streams: Streams) {}

  async execute({ caller, id, change }: ChangeSpace): Promise<Result<null, FeatureRefusal>> {
    const ended = await this.streams.run<SpaceTree, SpaceEvent, SpaceRefusal>(
      spaceTree,
      streams.spaces(caller.org.id),
      by(caller),
      async ({ state }) => {
        switch (change.kind) {
          case 'rename':
            return decideRenameSpace(state, { id, name: change.name });
          case 'move':
            return decideMoveSpace(state, { id, parent: change.parent });
          case 'archive':
            return decideArchiveSpace(state, { id }, await this.contentOf(caller, state ?? NO_SPACES, id));
        }
      },
    );
    return ended.kind === 'refused' ? no({ ...ended.refusal, org: caller.org.name }) : ok(null);
  }

  /** Counts the environments and flows that a space shows and that are not archived. */
  private async contentOf(
    { org }: Caller,
    tree: Pick<SpaceTree, 'spaces'>,
    id: string,
  ): Promise<Omit<SpaceContent, 'spaces'>> {
    const count = (aggregateStates: CollectionDefinition<{ readonly space?: string }>) =>
      this.countIn(aggregateStates, org.id, tree, id);
    return { environments: await count(environment.states), flows: await count(flow.states) };
  }

  private async countIn(
    aggregateStates: CollectionDefinition<{ readonly space?: string }>,
    org: string,
    tree: Pick<SpaceTree, 'spaces'>,
    id: string,
  ): Promise<number> {
    const collection = this.streams.engines.documents.collection(aggregateStates);
    let count = 0;
    const query = { where: { org, archived: false }, order: orderBy('name') };
    for await (const some of foundPages(collection, query, PAGE)) {
      count += some.filter(({ doc }) => doc.space !== undefined && shownIn(tree, doc.space) === id).length;
    }
    return count;
  }
}
