import {
  type Aggregate,
  type ControlEvent,
  type ControlSettings,
  index,
  tagsAfter,
  UnexpectedEvent,
} from '@assurance/contracts-events';

/** A named requirement that policies and decisions refer to, by its identifier. */
export interface Control extends ControlSettings {
  readonly id: string;
  readonly org: string;
  readonly identifier: string;
  /** From 1. */
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly archived: boolean;
  /** Id of the user or service account. */
  readonly createdBy: string;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
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
