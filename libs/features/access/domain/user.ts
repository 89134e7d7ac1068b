import type { UserEvent } from '@assurance/contracts/access/events';
import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { apiKeys, keyDocuments, keysAfter, type StoredKey } from './keys';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: number;
  readonly keys: readonly StoredKey[];
  /** Id of the organization that applies if no organization is named; absent until the user chooses one. */
  readonly defaultOrganization?: string;
  /** The user and all keys are removed. */
  readonly removed?: true;
}

export const user: Aggregate<User, UserEvent> = {
  kind: 'user',
  states: { name: 'users', indexes: [] },
  schemaVersion: 3,
  evolve(state, event, meta) {
    // If the user was removed before, the state keeps the old keys, so that none of them is added again.
    if (event.type === 'UserCreated') return { ...event.data, createdAt: meta.at, keys: state?.keys ?? [] };
    if (state === null) throw new UnexpectedEvent(event, meta);
    if (event.type === 'DefaultOrganizationChosen') {
      return { ...state, defaultOrganization: event.data.organization };
    }
    if (event.type === 'UserRemoved') {
      return { ...state, keys: state.keys.map((key) => ({ ...key, revoked: true as const })), removed: true };
    }
    return { ...state, keys: keysAfter(state.keys, event, meta) };
  },
  inlineProjections(state, event) {
    switch (event.type) {
      case 'UserCreated':
      case 'DefaultOrganizationChosen':
        return [];
      case 'UserRemoved':
        return state.keys.map(({ hash }) => ({ collection: apiKeys, id: hash, doc: null }));
      default:
        return keyDocuments({ principal: state.id, kind: 'user', name: state.name, org: null }, state.keys, event);
    }
  },
};
