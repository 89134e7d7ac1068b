import { type AggregateState, type CollectionShape, index } from '../events/aggregate';
import type { RepoFacts, Visibility } from './events';

export interface Flow {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: Visibility;
  /** Id of the current template, which is a document of `flowTemplates`. */
  readonly templateId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Id of its space. Left out if it was never moved; then it is in the root. */
  readonly space?: string;
  readonly archived: boolean;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
}

/** The states of these aggregates. */
export const flowStates: CollectionShape<AggregateState<Flow>> = {
  name: 'flows',
  indexes: [index('by_name', 'org', 'archived', 'name'), index('by_modification', 'org', 'lastModifiedAt')],
};

export interface Repo extends RepoFacts {
  readonly id: string;
  /**
   * The organization. After a join to another repository it is the value of `joinedOf`, so lists and counts of the organization leave this one out.
   */
  readonly org: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
  /** The id of the older repository that it was joined to; absent if it was not joined. */
  readonly joined?: string;
  /** Ids of younger repositories that were joined to it; absent: none. */
  readonly absorbed?: readonly string[];
}

/** The states of these aggregates. */
export const repoStates: CollectionShape<AggregateState<Repo>> = {
  name: 'repos',
  indexes: [index('by_name', 'org', 'name', 'id'), index('by_external_id', 'org', 'externalId', 'name', 'id')],
};
