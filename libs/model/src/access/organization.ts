import type { Aggregate, OrganizationEvent } from '@assurance/contracts-events';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly personal: boolean;
  readonly createdAt: number;
  /** Id of the user who made it through the API; left out of all others. */
  readonly madeBy?: string;
}

export const organization: Aggregate<Organization, OrganizationEvent> = {
  kind: 'organization',
  states: { name: 'organizations', indexes: [{ name: 'by_maker', fields: [['madeBy', 'asc']] }] },
  schemaVersion: 1,
  evolve: (_state, { data: { id, name, personal, madeBy } }, { at }) => ({
    ...{ id, name, personal, createdAt: at },
    ...(madeBy === undefined ? {} : { madeBy: madeBy.user }),
  }),
};
