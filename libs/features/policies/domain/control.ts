import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { tagsAfter } from '@assurance/contracts/events/naming';
import { Control, controlStates } from '@assurance/contracts/policies/documents';
import type { ControlEvent } from '@assurance/contracts/policies/events';
export const control: Aggregate<Control, ControlEvent, 'control'> = {
  kind: 'control',
  states: controlStates,
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
