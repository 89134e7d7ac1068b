import type { Aggregate, ExternalIdentityEvent } from '@assurance/contracts-events';

/** The user that belongs to an identity of an OpenID Connect provider. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Id and name of the user. */
  readonly user: string;
  readonly userName: string;
  readonly email: string;
}

export const externalIdentity: Aggregate<ExternalIdentity, ExternalIdentityEvent> = {
  kind: 'external-identity',
  states: { name: 'external_identities', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }) => data,
};
