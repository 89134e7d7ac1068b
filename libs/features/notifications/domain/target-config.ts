import { type Aggregate, index, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { ChangeInfo } from '@assurance/contracts/events/life';
import type { ChannelTarget, TargetConfigEvent } from '@assurance/contracts/notifications/events';
import { type Signings, signingsAfter, signingsOf } from './signing';

/** The most configurations of an organization, without deleted ones. */
export const TARGET_CONFIGS_MAX = 500;

/** Named targets that notifications refer to (target kind NESTED_CONFIG). */
export interface TargetConfig extends ChangeInfo {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly targets: readonly ChannelTarget[];
  readonly signings: Signings;
  /** The name of a deleted configuration is free. */
  readonly deleted: boolean;
}

export const targetConfig: Aggregate<TargetConfig, TargetConfigEvent, 'target-config'> = {
  kind: 'target-config',
  states: {
    name: 'target_configs',
    indexes: [index('by_name', 'org', 'deleted', 'name')],
  },
  schemaVersion: 1,
  evolve(state, event, meta) {
    if (event.type === 'TargetConfigCreated') {
      const { at: createdAt, actor: createdBy, org } = meta;
      return { ...event.data, org, signings: {}, createdAt, createdBy, lastModifiedAt: createdAt, deleted: false };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'TargetConfigUpdated': {
        const { targets } = event.data;
        return { ...state, targets, signings: signingsOf(targets, state.signings), lastModifiedAt: meta.at };
      }
      case 'TargetConfigDeleted':
        return { ...state, deleted: true, targets: [], signings: {}, lastModifiedAt: meta.at };
      case 'SigningSecretIssued':
        return { ...state, signings: signingsAfter(state.signings, event.data) };
    }
  },
};
