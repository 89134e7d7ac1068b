import type { Aggregate, OrganizationEvent } from '@assurance/contracts-events';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly personal: boolean;
  readonly createdAt: number;
}

export const organization: Aggregate<Organization, OrganizationEvent> = {
  kind: 'organization',
  heads: { name: 'organizations', indexes: [] },
  fold: 1,
  evolve: (_state, { data }, { at }) => ({ ...data, createdAt: at }),
};
