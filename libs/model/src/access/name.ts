import type { Aggregate, NameEvent } from '@assurance/contracts-events';

/** Who holds a name: the register's state. */
export interface Name {
  readonly id: string;
  /** The seq at which the holder's stream stood when a rename claimed it; left out where it was claimed for something new. */
  readonly at?: number;
  /** The original spelling of the name, in registers that ignore case. */
  readonly spelled?: string;
  /** Stream of the invitation, or of the external identity, by which the holder becomes a user: nobody else may use the id. */
  readonly invitation?: string;
}

/** The register of names: streams `name/<org or ->/<kind>/<name>`. A name that nobody claimed has no document. */
export const name: Aggregate<Name, NameEvent> = {
  kind: 'name',
  states: { name: 'names', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }) => data,
};
