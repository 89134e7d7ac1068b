import type { ApiKey, ApiKeyRotated, Role } from '@assurance/contracts/access/events';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { freshSecret } from '@assurance/event-sourcing/command/fresh-secret';
import { type CommitAuthor, Streams } from '@assurance/event-sourcing/command/streams';
import { IDS, type Ids } from '@assurance/event-sourcing/tokens';
import { RefusalError } from '@assurance/http';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { type Decision, err, ok, refused, type Result, sha256 } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { administrators, ADMINISTRATORS_MAX } from '../domain/administrators';
import { decideRotateKey } from '../domain/change-keys';
import { invitation, type Invitation, INVITATIONS_MAX, invitationTokens, isUsable } from '../domain/invitation';
import { type AcceptInvitation, decideAcceptInvitation, decideInvite, decideRevokeInvitation } from '../domain/invite';
import { isRetained, keyUses } from '../domain/keys';
import { membership } from '../domain/membership';
import { organization } from '../domain/organization';
import { user } from '../domain/user';
import { FollowUpCommits } from './joining';
import { Register } from './register';

/** How long an invitation may be accepted (seconds). */
const VALID_S = 7 * 24 * 3_600;

/** The address and role of an invitation. */
export interface InvitationInput {
  readonly email: string;
  readonly role: Role;
  /** A user name to suggest; null for none. */
  readonly name: string | null;
}

/** A new invitation with its token, which is shown only once. */
export interface FreshInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

/** The user who accepted an invitation; `key` is the first key of a new user. */
export interface JoinedMember {
  /** Name of the organization. */
  readonly organization: string;
  readonly user: string;
  readonly role: Role;
  readonly key: string | null;
}

/**
 * Invitations to organizations. An address has at most one open invitation in an organization. One commit in the invitation's own stream accepts it.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly followUpCommits: FollowUpCommits,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** @param invitedBy name of the inviter */
  async create(
    caller: Caller,
    invitedBy: string,
    { email, role, name }: InvitationInput,
  ): Promise<Result<FreshInvitation, FeatureRefusal>> {
    const { org } = caller;
    const place = await this.streams.states(organization).get(streams.organization(org.id));
    if (place?.personal === true) return err({ kind: 'organization-personal' });
    const open = await this.streams.states(invitation).count({ org: org.id, status: 'open' });
    if (open >= INVITATIONS_MAX) return err({ kind: 'too-many', things: 'open invitations', limit: INVITATIONS_MAX });
    const token = freshSecret(this.ids);
    const created = { id: this.ids.next(), tokenHash: sha256(token) };
    const stream = streams.invitation(org.id, sha256(email.toLowerCase()));
    const outcome = await this.streams.run(invitation, stream, commitAuthorOf(caller), ({ state }, at) =>
      decideInvite(state, {
        ...created,
        email,
        role,
        invitedBy,
        expiresAt: Math.floor(at / 1_000) + VALID_S,
        ...(name === null ? {} : { name }),
      }),
    );
    if (outcome.kind !== 'committed') throw new Error('an address can always be invited');
    return ok({ invitation: outcome.state, token });
  }

  async revoke(caller: Caller, id: string): Promise<Result<null, FeatureRefusal>> {
    const stream = await this.streamOf(caller.org.id, id);
    if (stream === null) return err({ kind: 'invitation-unknown' });
    const outcome = await this.streams.run(invitation, stream, commitAuthorOf(caller), ({ state }) =>
      decideRevokeInvitation(state, { id }),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }

  /** Accepts an invitation for an existing user. */
  async accept({ actor, correlation }: Caller, token: string): Promise<Result<JoinedMember, FeatureRefusal>> {
    const tokens = this.streams.engines.documents.collection(invitationTokens);
    const [loaded, hash] = [await this.streams.load(user, streams.user(actor)), sha256(token)];
    const stream = (await tokens.get(hash))?.stream;
    if (loaded.state === null || loaded.state.removed === true) return err({ kind: 'forbidden' });
    const open = stream === undefined ? null : (await this.streams.load(invitation, stream)).state;
    if (stream === undefined || open?.tokenHash !== hash) return err({ kind: 'invitation-invalid' });
    const problem = open.status === 'open' ? await this.problemOf(open) : null;
    if (problem !== null) return err(problem);
    const { id, name, email } = loaded.state;
    return this.use(stream, { id: open.id, user: { id, name }, email }, { org: open.org, actor, correlation }, null);
  }

  /**
   * Accepts an invitation for a new user. The new user gets the id of the invitation, so a repeated request creates no second user. A repeated
   * request shortly after replaces the first key if that key was never used, because the answer with the key may have been lost.
   *
   * @param id of the invitation. The caller proved it with the token
   * @param requestedName the new user's name; null: the suggested name
   */
  async join(
    { org, correlation }: Caller,
    id: string,
    requestedName: string | null,
  ): Promise<Result<JoinedMember, FeatureRefusal>> {
    const stream = await this.streamOf(org.id, id);
    const open = stream === null ? null : (await this.streams.load(invitation, stream)).state;
    if (stream === null || open?.id !== id || !isUsable(open, this.streams.sources.now())) {
      return err({ kind: 'invitation-invalid' });
    }
    if (open.status === 'accepted') return this.replaceFirstKey(open, requestedName, correlation);
    const problem = await this.problemOf(open);
    if (problem !== null) return err(problem);
    const name = requestedName ?? open.name;
    if (name === null) return err({ kind: 'invalid', errors: { user: 'Field required' } });
    const globalAuthor = { org: NO_ORGANIZATION, actor: id, correlation };
    const claim = await this.register.claimAnyCase(
      NO_ORGANIZATION,
      'account',
      name,
      { id, invitation: stream },
      globalAuthor,
    );
    if (claim !== id) return err({ kind: 'invalid', errors: { user: `This name is taken [input: ${name}]` } });
    const secret = freshSecret(this.ids);
    const key: ApiKey = { id: this.ids.next(), hash: sha256(secret), description: 'first key', expiresAt: 0 };
    return this.use(stream, { id, user: { id, name }, key }, { org: org.id, actor: id, correlation }, secret);
  }

  /** The reason why an open invitation cannot be accepted now; null if it can. This is checked before the invitation is accepted. */
  private async problemOf({ org, role }: Invitation): Promise<FeatureRefusal | null> {
    if (role !== 'admin') return null;
    const { state } = await this.streams.load(administrators, streams.administrators(org));
    const isFull = (state?.users.length ?? 0) >= ADMINISTRATORS_MAX;
    return isFull ? { kind: 'too-many', things: 'administrators', limit: ADMINISTRATORS_MAX } : null;
  }

  /** Replaces the unused first key of a new user. */
  private async replaceFirstKey(
    { id, org, acceptedAs }: Invitation,
    requestedName: string | null,
    correlation: string,
  ): Promise<Result<JoinedMember, FeatureRefusal>> {
    const name = acceptedAs?.name ?? '';
    if (requestedName !== null && requestedName !== name) return err({ kind: 'invitation-invalid' });
    const secret = freshSecret(this.ids);
    const key = { id: this.ids.next(), hash: sha256(secret) };
    const globalAuthor = { org: NO_ORGANIZATION, actor: id, correlation };
    const outcome = await this.streams.run(
      user,
      streams.user(id),
      globalAuthor,
      async ({ state }, at): Promise<Decision<ApiKeyRotated, FeatureRefusal>> => {
        // The events that the acceptance causes are not written yet.
        if (state === null) throw new RefusalError({ kind: 'lost-race' });
        const uses = this.streams.engines.documents.collection(keyUses);
        const used = await uses.getMany(state.keys.map(({ hash }) => hash));
        const first = state.keys.findLast((candidate) => isRetained(candidate, at));
        if (used.size > 0 || first === undefined) return refused({ kind: 'invitation-invalid' });
        return decideRotateKey(state, { id: first.id, graceHours: 0, expiresAt: 0 }, { key, at });
      },
    );
    if (outcome.kind === 'refused') return err(outcome.refusal);
    return this.joinedMember(org, { id, name }, secret);
  }

  /** Appends the commit that accepts the invitation, then the events that follow from it. */
  private async use(
    stream: string,
    command: AcceptInvitation,
    author: CommitAuthor,
    key: string | null,
  ): Promise<Result<JoinedMember, FeatureRefusal>> {
    const { id, name } = command.user;
    const place = streams.membership(author.org, id);
    const outcome = await this.streams.run(invitation, stream, author, async ({ state }, at) => {
      if (state?.org !== author.org) return refused({ kind: 'invitation-invalid' } as const);
      const { state: member } = await this.streams.load(membership, place);
      return decideAcceptInvitation(state, command, { at, member: (member?.role ?? null) !== null });
    });
    if (outcome.kind === 'refused') return err(outcome.refusal);
    if (outcome.kind === 'committed') {
      for (const event of outcome.events)
        if (event.type === 'InvitationAccepted') await this.followUpCommits.accept(event.data, author);
    }
    return this.joinedMember(author.org, { id, name }, key);
  }

  private async joinedMember(
    org: string,
    { id, name }: { readonly id: string; readonly name: string },
    key: string | null,
  ): Promise<Result<JoinedMember, FeatureRefusal>> {
    const { state: member } = await this.streams.load(membership, streams.membership(org, id));
    const role = member?.role ?? null;
    // The invitation was accepted before. The member was removed since, or the membership was never written.
    if (role === null) return err({ kind: 'invitation-invalid' });
    const organizationName = (await this.streams.states(organization).get(streams.organization(org)))?.name ?? '';
    return ok({ organization: organizationName, user: name, role, key });
  }

  private async streamOf(org: string, id: string): Promise<string | null> {
    const [document] = await this.streams.states(invitation).find({ where: { org, id }, limit: 1 });
    return document?.id ?? null;
  }
}
