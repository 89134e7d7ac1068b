import { type SpaceEvent, streams } from '@assurance/contracts-events';
import { SETTINGS, type Settings } from '@assurance/http';
import { decidePutSpace, type PutSpace as Given, type SpaceRefusal } from '@assurance/ingestion-domain';
import { no, ok, type Result } from '@assurance/kernel';
import { childrenOf, type FeatureRefusal, type Space, spaceTree, type SpaceTree } from '@assurance/model';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { Streams } from '../core/streams';

/** Whether a space was made now, and the space. */
export interface SpaceMade {
  readonly created: boolean;
  readonly space: Space;
}

/** Makes a space, or takes one of its name out of the archive. */
export class PutSpace extends commandBy<{ given: Given }, SpaceMade>() {}

@CommandHandler(PutSpace)
export class PutSpaceHandler implements ICommandHandler<PutSpace> {
  constructor(
    private readonly streams: Streams,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ caller, given }: PutSpace): Promise<Result<SpaceMade, FeatureRefusal>> {
    const id = this.streams.sources.id();
    const { spaces: limit } = this.settings.limits.perOrganization;
    const ended = await this.streams.run<SpaceTree, SpaceEvent, SpaceRefusal>(
      spaceTree,
      streams.spaces(caller.org.id),
      by(caller),
      ({ state }) => decidePutSpace(state, given, { id, limit }),
    );
    if (ended.kind === 'refused') return no({ ...ended.refusal, org: caller.org.name });
    const space = childrenOf(ended.state ?? { spaces: {} }, given.parent).find(({ name }) => name === given.name);
    if (space === undefined) throw new Error(`the space '${given.name}' is not there after it was put`);
    return ok({ created: space.id === id, space });
  }
}
