import type { IdentityAnswer } from '@assurance/contracts/access/answers/session';
import { keyOf, streams } from '@assurance/contracts/events/streams';
import { queryOf } from '@assurance/event-sourcing/message';
import { ReadingHandler } from '@assurance/http/queries';
import { externalIdentity } from '../domain/external-identity';
import { membership } from '../domain/membership';
import { organization } from '../domain/organization';
import { user } from '../domain/user';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

/** Name of a user's default organization; null if the user chose none or has left it. */
export class GetDefaultOrganization extends queryOf<{ userId: string }, string | null>() {}

@QueryHandler(GetDefaultOrganization)
export class GetDefaultOrganizationHandler extends ReadingHandler implements IQueryHandler<GetDefaultOrganization> {
  async execute({ userId }: GetDefaultOrganization): Promise<string | null> {
    const { documents } = this.ports;
    const chosenOrganization = (await documents.collection(user.states).get(streams.user(userId)))?.defaultOrganization;
    if (chosenOrganization === undefined) return null;
    const member = await documents.collection(membership.states).get(streams.membership(chosenOrganization, userId));
    const state =
      (member?.role ?? null) === null
        ? null
        : await documents.collection(organization.states).get(streams.organization(chosenOrganization));
    return state?.name ?? null;
  }
}

/** No user has more identities than this. */
const IDENTITIES = 500;

/** The identities that a user can sign in with. */
export class ListIdentities extends queryOf<{ userId: string }, IdentityAnswer[]>() {}

@QueryHandler(ListIdentities)
export class ListIdentitiesHandler extends ReadingHandler implements IQueryHandler<ListIdentities> {
  async execute({ userId }: ListIdentities): Promise<IdentityAnswer[]> {
    const identities = this.ports.documents.collection(externalIdentity.states);
    const results = await identities.find({ where: { user: userId }, limit: IDENTITIES });
    return results.map(({ id: stream, doc: { issuer, subject, email } }) => ({
      id: keyOf(stream),
      issuer,
      subject,
      email,
    }));
  }
}
