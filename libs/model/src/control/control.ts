import {
  type Aggregate,
  type ControlEvent,
  type ControlSettings,
  index,
  tagsAfter,
  UnexpectedEvent,
} from '@assurance/contracts-events';
import type { Life } from '../life';

/** A named requirement that policies and decisions refer to, by its identifier. */
export interface Control extends ControlSettings, Life {
  readonly id: string;
  readonly org: string;
  readonly identifier: string;
  /** From 1. */
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly archived: boolean;
}

export const control: Aggregate<Control, ControlEvent, 'control'> = {
  kind: 'control',
  states: {
    name: 'controls',
    indexes: [index('by_identifier', 'org', 'archived', 'identifier')],
  },
  schemaVersion: 1,
  evolve(state, event, meta) {
    const lastModifiedAt = meta.at;
    if (event.type === 'ControlCreated') {
      const { org, actor: createdBy, at: createdAt } = meta;
      return { ...event.data, org, version: 1, tags: {}, archived: false, createdBy, createdAt, lastModifiedAt };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'ControlUpdated':
        return { ...state, ...event.data, version: state.version + 1, lastModifiedAt };
      case 'ControlArchived':
        return { ...state, archived: true, lastModifiedAt };
      case 'ControlUnarchived':
        return { ...state, archived: false, lastModifiedAt };
      case 'ControlTagged':
        return { ...state, tags: tagsAfter(state.tags, event.data), lastModifiedAt };
    }
  },
};
