import { type AggregateState, type CollectionShape, index } from '../events/aggregate';

/** When a version was made (integer milliseconds), and by whom (an id). */
export interface CreationInfo {
  readonly at: number;
  readonly by: string;
}

/** A type of attestations that an organization made for itself. What its versions ask for are documents of their own. */
export interface AttestationType {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string | null;
  readonly archived: boolean;
  /** Of each version, the first one first: the newest has the number of them. */
  readonly versions: readonly CreationInfo[];
  /** Integer milliseconds. */
  readonly lastModifiedAt: number;
}

/** The states of these aggregates. */
export const attestationTypeStates: CollectionShape<AggregateState<AttestationType>> = {
  name: 'attestation_types',
  indexes: [index('by_name', 'org', 'archived', 'name')],
};
