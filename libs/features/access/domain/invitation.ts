import type { InvitationEvent, Role } from '@assurance/contracts/access/events';
import { type Aggregate, type CollectionShape, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { keyOf } from '@assurance/contracts/events/streams';

/** How many open invitations an organization may have. */
export const INVITATIONS_MAX = 500;

/** How long a new user may accept again to get another first key, because the first answer may have been lost (milliseconds). */
const AGAIN_MS = 3_600_000;

/** The newest invitation of an address to an organization. */
export interface Invitation {
  readonly id: string;
  readonly org: string;
  readonly email: string;
  readonly role: Role;
  /** The suggested name of the new user. */
  readonly name: string | null;
  /** SHA-256 of the token. */
  readonly tokenHash: string;
  /** SHA-256 of the token of the previous invitation of this address; null: there was none. */
  readonly tokenBefore: string | null;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Integer milliseconds. */
  readonly createdAt: number;
  /** Name of the inviter. */
  readonly invitedBy: string;
  readonly status: 'open' | 'accepted' | 'revoked';
  /** Id of the user who accepted; null until then. */
  readonly acceptedBy: string | null;
  /** Name of that user, and the time (integer milliseconds); absent until then. */
  readonly acceptedAs?: { readonly name: string; readonly at: number };
}

/** Whether a token may create a user, or may replace the first key shortly after it created the user. @param at integer milliseconds */
export function isUsable({ id, status, expiresAt, acceptedBy, acceptedAs }: Invitation, at: number): boolean {
  if (status === 'open') return at < expiresAt * 1_000;
  return status === 'accepted' && acceptedBy === id && acceptedAs !== undefined && at < acceptedAs.at + AGAIN_MS;
}

/** The stream of a token's invitation. The document's id is the SHA-256 of the token. */
export interface InvitationToken {
  readonly stream: string;
}

export const invitationTokens: CollectionShape<InvitationToken> = { name: 'invitation_tokens', indexes: [] };

export const invitation: Aggregate<Invitation, InvitationEvent> = {
  kind: 'invitation',
  states: {
    name: 'invitations',
    indexes: [index('by_org', 'org', 'status', 'email'), index('by_id', 'org', 'id')],
  },
  schemaVersion: 2,
  evolve(state, event, meta) {
    if (event.type === 'MemberInvited') {
      const { name = null, ...data } = event.data;
      const tokenBefore = state?.tokenHash ?? null;
      const place = { org: keyOf(meta.stream).split('/')[0] ?? '', createdAt: meta.at };
      return { ...data, name, tokenBefore, ...place, status: 'open', acceptedBy: null };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    return event.type === 'InvitationAccepted'
      ? {
          ...state,
          status: 'accepted',
          acceptedBy: event.data.user,
          acceptedAs: { name: event.data.userName, at: meta.at },
        }
      : { ...state, status: 'revoked' };
  },
  inlineProjections({ tokenHash, tokenBefore }, event, { stream }) {
    switch (event.type) {
      case 'MemberInvited':
        return [
          ...(tokenBefore === null ? [] : [{ collection: invitationTokens, id: tokenBefore, doc: null }]),
          { collection: invitationTokens, id: tokenHash, doc: { stream } satisfies InvitationToken },
        ];
      case 'InvitationRevoked':
        return [{ collection: invitationTokens, id: tokenHash, doc: null }];
      case 'InvitationAccepted':
        // A user who accepted may accept again, because the first answer may not have arrived.
        return [];
    }
  },
};
