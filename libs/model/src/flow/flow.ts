import {
  type Aggregate,
  type CollectionShape,
  type FlowEvent,
  type FlowTemplate,
  index,
  tagsAfter,
  UnexpectedEvent,
  type Visibility,
} from '@assurance/contracts-events';

export interface Flow {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: Visibility;
  /** Id of the template in force: a document of `flowTemplates`. */
  readonly templateId: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Id of the space that it was moved to; left out while it was never moved: then it is in the root. */
  readonly space?: string;
  readonly archived: boolean;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
}

/** A version of a flow's template, by its id: too large for an aggregate state, and needed by trails that began under it. */
export interface FlowTemplateDocument {
  readonly flow: string;
  readonly template: FlowTemplate;
}

export const flowTemplates: CollectionShape<FlowTemplateDocument> = { name: 'flow_templates', indexes: [] };

export const flow: Aggregate<Flow, FlowEvent, 'flow'> = {
  kind: 'flow',
  states: {
    name: 'flows',
    indexes: [index('by_name', 'org', 'archived', 'name')],
  },
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
