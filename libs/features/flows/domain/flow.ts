import { type Aggregate, type CollectionShape, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import { tagsAfter } from '@assurance/contracts/events/naming';
import { Flow, flowStates } from '@assurance/contracts/flows/documents';
import type { FlowEvent, FlowTemplate } from '@assurance/contracts/flows/events';

/** A version of a flow's template, by its id. It is too large for an aggregate state, and trails that began under it still need it. */
export interface FlowTemplateDocument {
  readonly flow: string;
  readonly template: FlowTemplate;
}

export const flowTemplates: CollectionShape<FlowTemplateDocument> = { name: 'flow_templates', indexes: [] };
export const flow: Aggregate<Flow, FlowEvent, 'flow'> = {
  kind: 'flow',
  states: flowStates,
  schemaVersion: 2,
  evolve(state, event, meta) {
    if (event.type === 'FlowCreated') {
      const { template: _, ...settings } = event.data;
      return { ...settings, org: meta.org, tags: {}, archived: false, createdAt: meta.at, lastModifiedAt: meta.at };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    const lastModifiedAt = meta.at;
    switch (event.type) {
      case 'FlowUpdated': {
        const { template: _, ...settings } = event.data;
        return { ...state, ...settings, lastModifiedAt };
      }
      case 'FlowArchived':
        return { ...state, archived: true, lastModifiedAt };
      case 'FlowRevived':
        return { ...state, archived: false, lastModifiedAt };
      case 'FlowRenamed':
        return { ...state, name: event.data.name, lastModifiedAt };
      case 'FlowTagged':
        return { ...state, tags: tagsAfter(state.tags, event.data), lastModifiedAt };
      case 'FlowMoved':
        return { ...state, space: event.data.space, lastModifiedAt };
    }
  },
  inlineProjections(state, event) {
    if (event.type !== 'FlowCreated' && event.type !== 'FlowUpdated') return [];
    const { template, templateId } = event.data;
    return template === undefined || templateId === undefined
      ? []
      : [{ collection: flowTemplates, id: templateId, doc: { flow: state.id, template } }];
  },
};
