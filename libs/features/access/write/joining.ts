import type {
  ApiKey,
  ApiKeyAdded,
  ExternalIdentityLinked,
  InvitationAccepted,
  UserEvent,
} from '@assurance/contracts/access/events';
import type { AssuranceEvent } from '@assurance/contracts/events/codec';
import { keyOf, kindOf, NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import { eventsOf } from '@assurance/event-sourcing/sealing/read';
import { accepted, type Decision, noChange } from '@assurance/kernel';
import type { Commit } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { decideDeclareOrganization, decideDeclareUser, decideSetMember } from '../domain/declare';
import { membership } from '../domain/membership';
import { organization } from '../domain/organization';
import { user } from '../domain/user';
import { Memberships } from './memberships';

/** Kinds of streams that have events with consequences in other streams. */
const FOLLOWED: ReadonlySet<string> = new Set(['administrators', 'external-identity', 'invitation', 'organization']);

/**
 * Writes the consequences of a commit into other streams. It handles an accepted invitation, a first sign-in, a founded organization and a change of
 * administrators. The request does this before it answers. After a crash, `follow` does it. Every step is idempotent.
 */
@Injectable()
export class FollowUpCommits {
  constructor(
    private readonly streams: Streams,
    private readonly memberships: Memberships,
  ) {}

  /** Finishes the work of processes that stopped. */
  async follow(batch: readonly Commit[]): Promise<void> {
    for (const commit of batch) {
      if (!FOLLOWED.has(kindOf(commit.stream))) continue;
      const { org, actor, correlation } = commit;
      const by = { org, actor, correlation };
      for (const event of (await eventsOf(this.streams.engines.events, commit)) as AssuranceEvent[]) {
        await this.followOne(commit.stream, event, by);
      }
    }
  }

  /** Creates the membership, and a user if the user is new. @param by.org id of the organization */
  async accept({ id: invitation, user: id, ...invited }: InvitationAccepted['data'], by: CommitAuthor): Promise<void> {
    const { userName, email, role, invitedBy, key } = invited;
    if (key !== undefined) await this.addUser({ id, name: userName, email }, key, by);
    const change = { user: id, userName, source: 'invitation', changedBy: invitedBy } as const;
    await this.memberships.change(by.org, { ...change, role, invitation }, by);
    // Write first, read second. The removal of a user does the same, so one of the two sees the other.
    const { state } = await this.streams.load(user, streams.user(id));
    if (state?.removed === true) await this.memberships.change(by.org, { ...change, role: null }, by);
  }

  /** Creates the user of a first sign-in. */
  link({ user: id, userName: name, email }: ExternalIdentityLinked['data'], by: CommitAuthor): Promise<void> {
    return this.addUser({ id, name, email }, null, by);
  }

  private async followOne(stream: string, event: AssuranceEvent, by: CommitAuthor): Promise<void> {
    switch (event.type) {
      case 'AdministratorAdded':
      case 'AdministratorRemoved':
        return this.memberships.settle(keyOf(stream), event, by);
      case 'OrganizationCreated': {
        const { id, madeBy } = event.data;
        if (madeBy !== undefined) await this.addFounder(id, madeBy, by);
        return;
      }
      case 'InvitationAccepted':
        return this.accept(event.data, by);
      case 'ExternalIdentityLinked':
        return this.link(event.data, by);
      default:
        return;
    }
  }

  /** Makes the founder of an organization its administrator. */
  addFounder(
    org: string,
    { user: id, userName }: { readonly user: string; readonly userName: string },
    by: CommitAuthor,
  ): Promise<void> {
    return this.memberships.addFounder(org, { user: id, userName, source: 'app', changedBy: userName }, by);
  }

  /** Creates a user, perhaps with a first key, and the personal organization with the same id. */
  private async addUser(
    { id, name, email }: { readonly id: string; readonly name: string; readonly email: string },
    key: ApiKey | null,
    by: CommitAuthor,
  ): Promise<void> {
    const globalAuthor = { ...by, org: NO_ORGANIZATION };
    await this.streams.run(user, streams.user(id), globalAuthor, ({ state }): Decision<UserEvent, never> => {
      const decision = state === null ? decideDeclareUser(state, { name, email }, { id }) : noChange;
      if (decision.kind !== 'events' || key === null) return decision;
      const keyAdded: ApiKeyAdded = { type: 'ApiKeyAdded', version: 1, data: key };
      return accepted<UserEvent>(...decision.events, keyAdded);
    });
    const organizationAuthor = { ...by, org: id };
    await this.streams.run(organization, streams.organization(id), organizationAuthor, ({ state }) =>
      decideDeclareOrganization(state, { name, personal: true }, { id }),
    );
    const member = { user: id, userName: name, role: 'admin', source: 'app', changedBy: name } as const;
    await this.streams.run(membership, streams.membership(id, id), organizationAuthor, ({ state }) =>
      decideSetMember(state, member),
    );
  }
}
