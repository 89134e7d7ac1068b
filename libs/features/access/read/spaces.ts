import type { SpaceAnswer, SpacePage } from '@assurance/contracts/access/answers/space';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { err, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { spaceOf } from '../domain/place';
import { actorsOf } from '../lookups/actors';
import { spacesOf } from '../lookups/spaces';
import { listSpaces, spaceAnswer, type SpaceFilter } from './spaces/list';

export class ListSpaces extends queryBy<{ filter: SpaceFilter; page: PageRequest }, SpacePage>() {}

@QueryHandler(ListSpaces)
export class ListSpacesHandler extends ReadingHandler implements IQueryHandler<ListSpaces> {
  async execute({ caller: { org }, filter, page: { page, perPage } }: ListSpaces): Promise<SpacePage> {
    const tree = await spacesOf(this.ports.documents, org);
    const all = listSpaces(tree, filter);
    const nameOf = actorsOf(this.ports.documents);
    const pageOfSpaces = all.slice((page - 1) * perPage, page * perPage);
    return {
      ...pageFields({ page, perPage }, all.length),
      spaces: await Promise.all(
        pageOfSpaces.map(async (space) => spaceAnswer(tree, space, await nameOf(space.createdBy))),
      ),
    };
  }
}

export class GetSpace extends queryBy<{ id: string }, Result<SpaceAnswer, Refusal>>() {}

@QueryHandler(GetSpace)
export class GetSpaceHandler extends ReadingHandler implements IQueryHandler<GetSpace> {
  async execute({ caller: { org }, id }: GetSpace): Promise<Result<SpaceAnswer, Refusal>> {
    const tree = await spacesOf(this.ports.documents, org);
    const space = spaceOf(tree, id);
    if (space === undefined) return err({ kind: 'space-unknown', org: org.name, id });
    return ok(spaceAnswer(tree, space, await actorsOf(this.ports.documents)(space.createdBy)));
  }
}
