import type { ExternalIdentityEvent } from '@assurance/contracts/access/events';
import { type Aggregate, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';

/** An identity of an OpenID Connect provider, and the user who signs in with it. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Id and name of the user; null after the user detached it. */
  readonly user: string | null;
  readonly userName: string;
  readonly email: string;
  /** The first sign-in creates the user and the personal organization. */
  readonly founds: boolean;
  /** How often a user detached it. */
  readonly detached: number;
}

export const externalIdentity: Aggregate<ExternalIdentity, ExternalIdentityEvent> = {
  kind: 'external-identity',
  states: { name: 'external_identities', indexes: [index('by_user', 'user')] },
  schemaVersion: 2,
  evolve(state, event, meta) {
    if (event.type === 'ExternalIdentityDetached') {
      if (state === null) throw new UnexpectedEvent(event, meta);
      return { ...state, user: null, founds: false, detached: state.detached + 1 };
    }
    const founds = event.type === 'ExternalIdentityLinked';
    return { ...event.data, founds, detached: state?.detached ?? 0 };
  },
};
