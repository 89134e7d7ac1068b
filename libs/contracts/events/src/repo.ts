import type { DomainEvent } from './event';
import type { RepoTagged } from './naming';

/** A repository as trails and artifacts report it. */
export interface RepoFacts {
  readonly name: string;
  /** Normalised: https, lower-case host, no user, port, query, `.git` or trailing slash. */
  readonly url: string;
  readonly provider: string | null;
  readonly description: string | null;
  /** The provider's own id; null where no report brought one. */
  readonly externalId: string | null;
  /** Names of the groups above it; left out where no report brought them. */
  readonly namespacePath?: readonly string[];
  /** Further information that the client sent; absent if no report had any. */
  readonly additionalInfo?: Readonly<Record<string, unknown>>;
}

export type RepoRecorded = DomainEvent<'RepoRecorded', 1, { readonly id: string } & RepoFacts>;
export type RepoUpdated = DomainEvent<'RepoUpdated', 1, Partial<RepoFacts>>;

/** It took younger repositories in, which are the same one under other addresses. */
export type RepoAbsorbed = DomainEvent<'RepoAbsorbed', 1, { readonly ids: readonly string[] }>;

/** It was joined to an older repository, which it is under another address. The last event of its stream. */
export type RepoJoined = DomainEvent<'RepoJoined', 1, { readonly into: string }>;

export type RepoEvent = RepoRecorded | RepoUpdated | RepoTagged | RepoAbsorbed | RepoJoined;
