import type { Role, ServiceAccountEvent } from '@assurance/contracts/access/events';
import { type Aggregate, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { apiKeys, keyDocuments, keysAfter, type StoredKey } from './keys';

export interface ServiceAccount {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly displayName: string;
  readonly privilege: Role;
  readonly description: string;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly keys: readonly StoredKey[];
  /** Its keys do not work, and it is not shown. */
  readonly deleted: boolean;
}

export const serviceAccount: Aggregate<ServiceAccount, ServiceAccountEvent, 'service-account'> = {
  kind: 'service-account',
  states: {
    name: 'service_accounts',
    indexes: [index('by_org', 'org', 'name')],
  },
  schemaVersion: 2,
  evolve(state, event, meta) {
    if (event.type === 'ServiceAccountCreated') {
      const { data } = event;
      // If it was deleted before, the state keeps its old keys, so that none of them is added again.
      const keys = state?.keys ?? [];
      const base = { org: meta.org, createdAt: meta.at, createdBy: meta.actor, keys, deleted: false };
      return { ...data, displayName: data.displayName ?? data.name, ...base };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'ServiceAccountPrivilegeChanged':
        return { ...state, privilege: event.data.privilege };
      case 'ServiceAccountDescribed':
        return { ...state, ...event.data };
      case 'ServiceAccountDeleted':
        return { ...state, keys: state.keys.map((key) => ({ ...key, revoked: true })), deleted: true };
      default:
        return { ...state, keys: keysAfter(state.keys, event, meta) };
    }
  },
  inlineProjections(state, event) {
    switch (event.type) {
      case 'ApiKeyAdded':
      case 'ApiKeyRotated':
      case 'ApiKeyRevoked': {
        const owner = { principal: state.id, kind: 'service-account', name: state.name, org: state.org } as const;
        return keyDocuments(owner, state.keys, event);
      }
      case 'ServiceAccountDeleted':
        return state.keys.map(({ hash }) => ({ collection: apiKeys, id: hash, doc: null }));
      default:
        return [];
    }
  },
};
