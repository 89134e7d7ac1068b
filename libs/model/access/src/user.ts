import { type Aggregate, UnexpectedEvent, type UserEvent } from '@assurance/contracts-events';
import { keyDocuments, keysAfter, type KnownKey } from './keys';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: number;
  readonly keys: readonly KnownKey[];
  /** Id of the organization that the user works in unless one is named; left out until it is chosen. */
  readonly defaultOrganization?: string;
}

export const user: Aggregate<User, UserEvent> = {
  kind: 'user',
  heads: { name: 'users', indexes: [] },
  fold: 2,
  evolve(state, event, meta) {
    if (event.type === 'UserCreated') return { ...event.data, createdAt: meta.at, keys: [] };
    if (state === null) throw new UnexpectedEvent(event, meta);
    if (event.type === 'DefaultOrganizationChosen') {
      return { ...state, defaultOrganization: event.data.organization };
    }
    return { ...state, keys: keysAfter(state.keys, event, meta) };
  },
  kept: (state, event) =>
    event.type === 'UserCreated' || event.type === 'DefaultOrganizationChosen'
      ? []
      : keyDocuments({ principal: state.id, kind: 'user', name: state.name, org: null }, state.keys, event),
};
