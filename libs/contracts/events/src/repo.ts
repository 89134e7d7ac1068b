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
export type RepoEvent = RepoRecorded | RepoUpdated | RepoTagged;
