import type { OmittedParts, OrganizationEvent } from '@assurance/contracts/access/events';
import { type Aggregate, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly personal: boolean;
  readonly createdAt: number;
  /** Id of the user who created it through the API; absent for all others. Absent after erasure, because it no longer counts for the user. */
  readonly madeBy?: string;
  /** Time of the first erasure (integer milliseconds); absent if it was not erased. Only the name and the signed records of the erasure remain. */
  readonly erased?: {
    readonly at: number;
    /** Taken from the newest record; null: data may be left. */ readonly leftOut: OmittedParts | null;
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

/** The id of an organization's holder: its creator; for a personal one its user, who has the same id; otherwise the organization itself. */
export function organizationHolder({ id, madeBy }: Pick<Organization, 'id' | 'madeBy'>): string {
  return madeBy ?? id;
}
