import type { Aggregate, DeclarationEvent } from '@assurance/contracts-events';

/** What a part of the bootstrap file said when it was applied last. */
export interface Declaration {
  readonly digest: string;
}

export const declaration: Aggregate<Declaration, DeclarationEvent> = {
  kind: 'declaration',
  heads: { name: 'declarations', indexes: [] },
  fold: 1,
  evolve: (_state, { data }) => ({ digest: data.digest }),
};
