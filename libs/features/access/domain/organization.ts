import type { OmittedParts, OrganizationEvent } from '@assurance/contracts/access/events';
import { type Aggregate, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly personal: boolean;
  readonly createdAt: number;
  /** Id of the user who made it through the API; left out of all others, and when it is erased: it no longer counts as one of the user's. */
  readonly madeBy?: string;
  /** When it was erased first (integer milliseconds); left out of all others. Only its name and the signed records of this remain. */
  readonly erased?: {
    readonly at: number;
    /** As the newest record says; null: something may be left. */ readonly leftOut: OmittedParts | null;
  };
}

export const organization: Aggregate<Organization, OrganizationEvent> = {
  kind: 'organization',
  states: { name: 'organizations', indexes: [index('by_maker', 'madeBy')] },
  schemaVersion: 2,
  evolve(state, event, meta) {
    const { at } = meta;
    switch (event.type) {
      case 'OrganizationCreated': {
        const { id, name, personal, madeBy } = event.data;
        return { id, name, personal, createdAt: at, ...(madeBy === undefined ? {} : { madeBy: madeBy.user }) };
      }
      case 'OrganizationErased': {
        if (state === null) throw new UnexpectedEvent(event, meta);
        const { madeBy: _, ...others } = state;
        return { ...others, erased: { at: state.erased?.at ?? at, leftOut: event.data.record.leftOut } };
      }
    }
  },
};

/** Who holds an organization: its creator; for a personal one its user, who has the same id; otherwise the organization itself. */
export function organizationHolder({ id, madeBy }: Pick<Organization, 'id' | 'madeBy'>): string {
  return madeBy ?? id;
}
