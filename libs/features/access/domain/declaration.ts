import type { DeclarationEvent } from '@assurance/contracts/access/events';
import type { Aggregate } from '@assurance/contracts/events/aggregate';

/** The content of a part of the bootstrap file when it was last applied. */
export interface Declaration {
  readonly digest: string;
}

export const declaration: Aggregate<Declaration, DeclarationEvent> = {
  kind: 'declaration',
  states: { name: 'declarations', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }) => ({ digest: data.digest }),
};
