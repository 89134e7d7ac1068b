import { type Aggregate, type ApiKey, UnexpectedEvent, type UserEvent } from '@assurance/contracts-events';
import { keyDocument } from './keys';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: number;
  readonly keys: readonly ApiKey[];
  /** Id of the organization that the user works in unless one is named; left out until it is chosen. */
  readonly defaultOrganization?: string;
}

export const user: Aggregate<User, UserEvent> = {
  kind: 'user',
  heads: { name: 'users', indexes: [] },
  fold: 1,
  evolve(state, event, meta) {
    switch (event.type) {
      case 'UserCreated':
        return { ...event.data, createdAt: meta.at, keys: [] };
      case 'ApiKeyAdded':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, keys: [...state.keys, event.data] };
      case 'DefaultOrganizationChosen':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, defaultOrganization: event.data.organization };
    }
  },
  kept: (state, event) =>
    event.type === 'ApiKeyAdded'
      ? [keyDocument({ principal: state.id, kind: 'user', name: state.name, org: null }, event.data)]
      : [],
};
