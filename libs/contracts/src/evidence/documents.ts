import { type AggregateState, type CollectionShape, index } from '../events/aggregate';

/** When a version was created (integer milliseconds), and by whom (an id). */
export interface CreationInfo {
  readonly at: number;
  readonly by: string;
}

/** An attestation type that an organization defined. The rules of its versions are separate documents. */
export interface AttestationType {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string | null;
  readonly archived: boolean;
  /** One entry for each version, oldest first. The number of the newest version equals the length of the list. */
  readonly versions: readonly CreationInfo[];
  /** Integer milliseconds. */
  readonly lastModifiedAt: number;
}

/** The states of these aggregates. */
export const attestationTypeStates: CollectionShape<AggregateState<AttestationType>> = {
  name: 'attestation_types',
  indexes: [index('by_name', 'org', 'archived', 'name')],
};
