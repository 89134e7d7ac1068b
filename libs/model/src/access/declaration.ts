import type { Aggregate, DeclarationEvent } from '@assurance/contracts-events';

/** What a part of the bootstrap file said when it was applied last. */
export interface Declaration {
  readonly digest: string;
}

export const declaration: Aggregate<Declaration, DeclarationEvent> = {
  kind: 'declaration',
  states: { name: 'declarations', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, { data }) => ({ digest: data.digest }),
};
