import { environmentStates } from '@assurance/contracts/environments/documents';
import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Documents } from '@assurance/storage-ports';

/** When the first grace period of the running artifacts of an environment ends. */
export interface GraceEnd {
  readonly org: string;
  readonly environment: string;
  /** Integer milliseconds; -1 if no grace period runs. */
  readonly due: number;
}

/** One document for each environment, under its id. */
export const graceEnds: CollectionShape<GraceEnd> = {
  name: 'vulnerability_grace_ends',
  indexes: [index('by_end', 'due', 'environment')],
};

/**
 * Keeps the earliest end. If an earlier end no longer applies, the only effect is one more search. It keeps nothing about an environment that is
 * erased meanwhile.
 *
 * @param at the time of the search (integer milliseconds)
 */
export async function noteGraceEnd(documents: Documents, row: GraceEnd, at: number): Promise<void> {
  const { environment } = row;
  await documents.collection(graceEnds).merge([environment], (current) => {
    return current !== null && current.due > at && current.due <= row.due ? undefined : row;
  });
  // An erasure removes the state of the environment first, so a later erasure removes this row too.
  const state = await documents.collection(environmentStates).get(streams.environment(environment));
  if (state === null) await documents.collection(graceEnds).write([{ kind: 'forget', id: environment }]);
}
