import type {
  AdministratorAdded,
  AdministratorRemoved,
  MembershipChange,
  MembershipEvent,
  Role,
} from '@assurance/contracts/access/events';
import { streams } from '@assurance/contracts/events/streams';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import { type Decision, err, noChange, ok, type Result } from '@assurance/kernel';
import { pagesBy } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { type AdministerRefusal, decideAdminister } from '../domain/administer';
import { administrators } from '../domain/administrators';
import { decideSetMember } from '../domain/declare';
import { decideRemoveMember } from '../domain/member';
import { isManagedByGroups, type Membership, membership } from '../domain/membership';
import { organization } from '../domain/organization';

const PAGE = 500;

/** A change of a user's role in an organization; `role` null removes the member. */
interface MemberChange extends MembershipChange {
  readonly role: Role | null;
  /** Id of the invitation that adds the user. It adds a member once. */
  readonly invitation?: string;
  /** Changes existing members only. */
  readonly onlyMembers?: true;
  /** Changes nothing for members. */
  readonly onlyNewcomers?: true;
}

/**
 * Changes roles in organizations. The stream `administrators/<org>` decides who administers an organization, so two concurrent changes cannot remove
 * the last administrator. Memberships, which the gateway reads, follow that decision. A writer loads the membership first and the decision second, so
 * the last writer uses the newest decision. `settle` finishes the work of a process that crashed.
 */
@Injectable()
export class Memberships {
  constructor(private readonly streams: Streams) {}

  /**
   * Makes a user a member, changes the role or removes the member.
   *
   * @returns the previous role; null if the user was not a member
   */
  async change(org: string, to: MemberChange, by: CommitAuthor): Promise<Result<Role | null, AdministerRefusal>> {
    const outcome = await this.streams.run(administrators, streams.administrators(org), by, async ({ state }) => {
      if ((await this.isErased(org)) || (await this.isObsolete(org, to))) return noChange;
      const users = state === null ? await this.administratorsByMembership(org) : [];
      const { onlyMembers: _, onlyNewcomers: __, ...change } = to;
      return decideAdminister(state, change, { users });
    });
    if (outcome.kind === 'refused') return err(outcome.refusal);
    let before: Role | null = null;
    await this.onMembership(org, to, by, (state, administers) => {
      before = state?.role ?? null;
      if (to.invitation !== undefined && (before !== null || state?.invitation === to.invitation)) return noChange;
      if (to.onlyMembers === true && before === null) return noChange;
      if (to.onlyNewcomers === true && before !== null) return noChange;
      if (to.mapped === true && !isManagedByGroups(state)) return noChange;
      // Another decision was made meanwhile. Its own writer writes the membership.
      if (administers !== (to.role === 'admin')) return noChange;
      return decideMembership(state, to);
    });
    const wasRemoved = outcome.kind === 'committed' && to.role !== 'admin';
    return ok(wasRemoved ? 'admin' : before);
  }

  /** Makes the founder of an organization its first administrator. Does nothing if the organization ever had one. */
  async addFounder(org: string, founder: MembershipChange, by: CommitAuthor): Promise<void> {
    const to = { ...founder, role: 'admin' } as const;
    await this.streams.run(administrators, streams.administrators(org), by, async ({ state }) =>
      state === null && !(await this.isErased(org)) ? decideAdminister(state, to, { users: [] }) : noChange,
    );
    // This also settles a decision of another process, so that the membership exists when this method returns.
    await this.settle(org, { type: 'AdministratorAdded', version: 1, data: founder }, by);
  }

  /** Writes the membership that a decision requires, because the deciding process may have stopped before. Idempotent. */
  async settle(
    org: string,
    { type, data }: AdministratorAdded | AdministratorRemoved,
    by: CommitAuthor,
  ): Promise<void> {
    const to: MemberChange = { ...data, role: type === 'AdministratorAdded' ? 'admin' : data.role };
    await this.onMembership(org, to, by, (state, administers) => {
      const behind = administers !== (state?.role === 'admin') && administers === (to.role === 'admin');
      return behind ? decideMembership(state, to) : noChange;
    });
  }

  /** Ids and names of the shared organizations that a user is a member of. */
  async organizationsOf(user: string): Promise<{ readonly id: string; readonly name: string }[]> {
    const organizations: { id: string; name: string }[] = [];
    for await (const page of pagesBy(this.streams.states(membership), { user }, 'org', PAGE)) {
      for (const { doc } of page) {
        if (doc.role === null || doc.org === user) continue;
        const place = await this.streams.states(organization).get(streams.organization(doc.org));
        organizations.push({ id: doc.org, name: place?.name ?? doc.org });
      }
    }
    return organizations;
  }

  private onMembership(
    org: string,
    { user }: MemberChange,
    by: CommitAuthor,
    decide: (state: Membership | null, administers: boolean) => Decision<MembershipEvent, never>,
  ) {
    return this.streams.run(membership, streams.membership(org, user), by, async ({ state }) => {
      const loadedAdministrators = await this.streams.load(administrators, streams.administrators(org));
      if (await this.isErased(org)) return noChange;
      return decide(state, loadedAdministrators.state?.users.includes(user) ?? false);
    });
  }

  /** Whether the organization was erased. Then nobody can become a member again. */
  private async isErased(org: string): Promise<boolean> {
    return (await this.streams.states(organization).get(streams.organization(org)))?.erased !== undefined;
  }

  /** Whether there is nothing to decide: the invitation was used, only (non-)members are meant, or a person and not a group decided the role. */
  private async isObsolete(
    org: string,
    { user, invitation, onlyMembers, onlyNewcomers, mapped }: MemberChange,
  ): Promise<boolean> {
    if (invitation === undefined && onlyMembers === undefined && mapped === undefined) return false;
    const { state } = await this.streams.load(membership, streams.membership(org, user));
    if (onlyNewcomers === true && (state?.role ?? null) !== null) return true;
    if (mapped === true) return !isManagedByGroups(state);
    if (onlyMembers === true) return (state?.role ?? null) === null;
    return state?.invitation === invitation;
  }

  /** The administrators of an organization that has no stream of administrators yet. */
  private async administratorsByMembership(org: string): Promise<string[]> {
    const users: string[] = [];
    for await (const page of pagesBy(this.streams.states(membership), { org }, 'userName', PAGE)) {
      for (const { doc } of page) {
        if (doc.role !== 'admin') continue;
        // The stored state may be behind the stream.
        const { state } = await this.streams.load(membership, streams.membership(org, doc.user));
        if (state?.role === 'admin') users.push(doc.user);
      }
    }
    return users;
  }
}

function decideMembership(
  state: Membership | null,
  { role, invitation, onlyMembers: _, onlyNewcomers: __, ...change }: MemberChange,
): Decision<MembershipEvent, never> {
  if (role === null) return decideRemoveMember(state, change);
  return decideSetMember(state, { ...change, role, ...(invitation === undefined ? {} : { invitation }) });
}
