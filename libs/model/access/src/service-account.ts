import {
  type Aggregate,
  type ApiKey,
  type Role,
  type ServiceAccountEvent,
  UnexpectedEvent,
} from '@assurance/contracts-events';
import { keyDocument } from './keys';

export interface ServiceAccount {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly privilege: Role;
  readonly description: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly keys: readonly ApiKey[];
}

export const serviceAccount: Aggregate<ServiceAccount, ServiceAccountEvent> = {
  kind: 'service-account',
  heads: {
    name: 'service_accounts',
    indexes: [
      {
        name: 'by_org',
        fields: [
          ['org', 'asc'],
          ['name', 'asc'],
        ],
      },
    ],
  },
  fold: 1,
  evolve(state, event, meta) {
    if (event.type === 'ServiceAccountCreated') {
      return { ...event.data, org: meta.org, createdAt: meta.at, createdBy: meta.actor, keys: [] };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'ServiceAccountPrivilegeChanged':
        return { ...state, privilege: event.data.privilege };
      case 'ApiKeyAdded':
        return { ...state, keys: [...state.keys, event.data] };
    }
  },
  kept: (state, event) =>
    event.type === 'ApiKeyAdded'
      ? [keyDocument({ principal: state.id, kind: 'service-account', name: state.name, org: state.org }, event.data)]
      : [],
};
