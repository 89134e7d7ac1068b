import type { AdministratorsEvent } from '@assurance/contracts/access/events';
import type { Aggregate } from '@assurance/contracts/events/aggregate';
import { keyOf } from '@assurance/contracts/events/streams';

/** The most administrators of an organization, because the state must be bounded. */
export const ADMINISTRATORS_MAX = 500;

/** The decided administrators of an organization. Memberships follow the decision. */
export interface Administrators {
  readonly org: string;
  /** Ids of users. */
  readonly users: readonly string[];
}

export const administrators: Aggregate<Administrators, AdministratorsEvent> = {
  kind: 'administrators',
  states: { name: 'administrators', indexes: [] },
  schemaVersion: 1,
  evolve(state, event, { stream }) {
    const [org, users] = [keyOf(stream), state?.users ?? []];
    switch (event.type) {
      case 'AdministratorsListed':
        return { org, users: event.data.users };
      case 'AdministratorAdded':
        return { org, users: [...users, event.data.user] };
      case 'AdministratorRemoved':
        return { org, users: users.filter((user) => user !== event.data.user) };
    }
  },
};
