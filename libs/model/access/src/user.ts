import { type Aggregate, type ApiKey, UnexpectedEvent, type UserEvent } from '@assurance/contracts-events';
import { keyDocument } from './keys';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: number;
  readonly keys: readonly ApiKey[];
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
    }
  },
  kept: (state, event) =>
    event.type === 'ApiKeyAdded'
      ? [keyDocument({ principal: state.id, kind: 'user', name: state.name, org: null }, event.data)]
      : [],
};
