import { environmentStates } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { flowStates } from '@assurance/contracts/flows/documents';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { SETTINGS, type Settings } from '@assurance/event-sourcing/tokens';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, type Result } from '@assurance/kernel';
import { type CollectionDefinition, findPages } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideArchiveSpace, decideMoveSpace, decideRenameSpace } from '../domain/change-space';
import { childrenOf, NO_SPACES, shownSpace } from '../domain/place';
import { decidePutSpace, type PutSpace as Given } from '../domain/put-space';
import type { SpaceContent } from '../domain/space-rules';
import { type Space, spaceTree, type SpaceTree } from '../domain/tree';

/** Reads the spaces of an organization for commands that move something into them. */
@Injectable()
export class Spaces {
  constructor(private readonly streams: Streams) {}

  /** All spaces of an organization, from its newest commit. */
  async of(org: string): Promise<Pick<SpaceTree, 'spaces'>> {
    return (await this.streams.load(spaceTree, streams.spaces(org))).state ?? NO_SPACES;
  }
}

/** The space, and whether the command created it. */
export interface PutSpaceResult {
  readonly created: boolean;
  readonly space: Space;
}

/** Creates a space, or revives an archived one with the same name. */
export class PutSpace extends commandBy<{ input: Given }, PutSpaceResult>() {}

@CommandHandler(PutSpace)
export class PutSpaceHandler implements ICommandHandler<PutSpace> {
  constructor(
    private readonly streams: Streams,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ caller, input }: PutSpace): Promise<Result<PutSpaceResult, FeatureRefusal>> {
    const id = this.streams.sources.id();
    const { spaces: limit } = this.settings.limits.perOrganization;
    const outcome = await this.streams.run(
      spaceTree,
      streams.spaces(caller.org.id),
      commitAuthorOf(caller),
      ({ state }) => decidePutSpace(state, input, { id, limit }),
    );
    if (outcome.kind === 'refused') return err({ ...outcome.refusal, org: caller.org.name });
    const space = childrenOf(outcome.state ?? { spaces: {} }, input.parent).find(({ name }) => name === input.name);
    if (space === undefined) throw new Error(`the space '${input.name}' is not there after it was put`);
    return ok({ created: space.id === id, space });
  }
}

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
    const outcome = await this.streams.run(
      spaceTree,
      streams.spaces(caller.org.id),
      commitAuthorOf(caller),
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
    return outcome.kind === 'refused' ? err({ ...outcome.refusal, org: caller.org.name }) : ok(null);
  }

  /** Counts the environments and flows that a space shows, without archived ones. */
  private async contentOf(
    { org }: Caller,
    tree: Pick<SpaceTree, 'spaces'>,
    id: string,
  ): Promise<Omit<SpaceContent, 'spaces'>> {
    const count = (aggregateStates: CollectionDefinition<{ readonly space?: string }>) =>
      this.countIn(aggregateStates, org.id, tree, id);
    return { environments: await count(environmentStates), flows: await count(flowStates) };
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
    for await (const page of findPages(collection, query, PAGE)) {
      count += page.filter(({ doc }) => doc.space !== undefined && shownSpace(tree, doc.space) === id).length;
    }
    return count;
  }
}
