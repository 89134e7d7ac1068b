import type { NameEvent } from '@assurance/contracts/access/events';
import type { Aggregate } from '@assurance/contracts/events/aggregate';

/** The holder of a name: the state of the register. */
export interface Name {
  readonly id: string;
  /** The seq of the holder's stream when a rename claimed the name; absent if it was claimed for a new aggregate. */
  readonly at?: number;
  /** The original spelling of the name, in registers that ignore case. */
  readonly spelled?: string;
  /** Stream of the invitation or external identity that creates the holder, a user. No other stream may use the id. */
  readonly invitation?: string;
}

/** The register of names: streams `name/<org or ->/<kind>/<name>`. An unclaimed name has no document. */
export const name: Aggregate<Name, NameEvent> = {
  kind: 'name',
  states: { name: 'names', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }) => data,
};
