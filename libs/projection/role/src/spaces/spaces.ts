import type { SpaceAnswer, SpacePage } from '@assurance/contracts-http';
import { type Refusal } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import { spaceOf } from '@assurance/model';
import { listSpaces, type PageRequest, spaceAnswer, type SpaceFilter, pageFields } from '@assurance/projection-views';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { queryBy } from '../queries';
import { Lookups } from '../views/lookups';

/** One page of spaces. */
export class ListSpaces extends queryBy<{ filter: SpaceFilter; page: PageRequest }, SpacePage>() {}

@QueryHandler(ListSpaces)
export class ListSpacesHandler implements IQueryHandler<ListSpaces> {
  constructor(private readonly lookups: Lookups) {}

  async execute({ caller: { org }, filter, page: { page, perPage } }: ListSpaces): Promise<SpacePage> {
    const tree = await this.lookups.spaces(org);
    const all = listSpaces(tree, filter);
    const nameOf = this.lookups.actors();
    const shown = all.slice((page - 1) * perPage, page * perPage);
    return {
      ...pageFields({ page, perPage }, all.length),
      spaces: await Promise.all(shown.map(async (space) => spaceAnswer(tree, space, await nameOf(space.createdBy)))),
    };
  }
}

/** One space. */
export class GetSpace extends queryBy<{ id: string }, Result<SpaceAnswer, Refusal>>() {}

@QueryHandler(GetSpace)
export class GetSpaceHandler implements IQueryHandler<GetSpace> {
  constructor(private readonly lookups: Lookups) {}

  async execute({ caller: { org }, id }: GetSpace): Promise<Result<SpaceAnswer, Refusal>> {
    const tree = await this.lookups.spaces(org);
    const space = spaceOf(tree, id);
    if (space === undefined) return no({ kind: 'space-unknown', org: org.name, id });
    return ok(spaceAnswer(tree, space, await this.lookups.actors()(space.createdBy)));
  }
}
