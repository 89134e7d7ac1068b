import type { OrganizationAnswer } from '@assurance/contracts/access/answers/access';
import { streams } from '@assurance/contracts/events/streams';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { organization } from '../domain/organization';

export class GetOrganization extends queryBy<object, OrganizationAnswer>() {}

@QueryHandler(GetOrganization)
export class GetOrganizationHandler extends ReadingHandler implements IQueryHandler<GetOrganization> {
  async execute({ caller: { org } }: GetOrganization): Promise<OrganizationAnswer> {
    const state = await this.ports.documents.collection(organization.states).get(streams.organization(org.id));
    if (state === null) throw new Error(`the organization ${org.id} has members and no state`);
    const { name, personal, createdAt } = state;
    return {
      name,
      kind: personal ? 'personal' : 'shared',
      experimental_features_enabled: false,
      created_at: createdAt / 1_000,
      last_modified_at: createdAt / 1_000,
    };
  }
}
