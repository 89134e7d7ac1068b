import { streams } from '@assurance/contracts-events';
import { PORTS, type Ports } from '@assurance/http';
import { membership, organization, user } from '@assurance/model';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

/** Name of the organization that a user works in unless one is named; null until one is chosen, and when the user left it. */
export class GetDefaultOrganization extends Query<string | null> {
  constructor(
    /** Id of the user. */
    readonly user: string,
  ) {
    super();
  }
}

@QueryHandler(GetDefaultOrganization)
export class GetDefaultOrganizationHandler implements IQueryHandler<GetDefaultOrganization> {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async execute({ user: id }: GetDefaultOrganization): Promise<string | null> {
    const { documents } = this.ports;
    const chosen = (await documents.collection(user.states).get(streams.user(id)))?.defaultOrganization;
    if (chosen === undefined) return null;
    const member = await documents.collection(membership.states).get(streams.membership(chosen, id));
    const state =
      (member?.role ?? null) === null
        ? null
        : await documents.collection(organization.states).get(streams.organization(chosen));
    return state?.name ?? null;
  }
}
