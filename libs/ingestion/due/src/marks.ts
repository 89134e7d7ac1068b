import { type Mark, Marks, type Taken as TakenMark } from '@assurance/due';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';
import { type Due, together } from './due';

/** That an environment is due: one document an environment, under its id. */
export type DueMark = Mark<Due>;
export type Taken = TakenMark<Due>;

export const dueEnvironments: CollectionDefinition<DueMark> = {
  name: 'due_environments',
  indexes: [
    {
      name: 'by_time',
      fields: [
        ['due', 'asc'],
        ['notBefore', 'asc'],
      ],
    },
  ],
};

/** How long a worker keeps others off. It may take longer: then two work at once, and the stream's conflict decides. */
export const LEASE_MS = 15_000;
/** The longest rest of an environment whose work keeps failing. */
const REST_MAX_MS = 60_000;

/** The marks of all environments. */
export class DueMarks extends Marks<Due> {
  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    super(documents.collection(dueEnvironments), now, {
      leaseMs: LEASE_MS,
      restMaxMs: REST_MAX_MS,
      together,
      cleared: (mark) => ({ ...mark, fingerprints: [] }),
    });
  }
}
