import {
  type Aggregate,
  type CollectionShape,
  type FlowEvent,
  type FlowTemplate,
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
  readonly archived: boolean;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
}

/** A version of a flow's template, by its id: too large for a head, and needed by trails that began under it. */
export interface FlowTemplateDocument {
  readonly flow: string;
  readonly template: FlowTemplate;
}

export const flowTemplates: CollectionShape<FlowTemplateDocument> = { name: 'flow_templates', indexes: [] };

export const flow: Aggregate<Flow, FlowEvent> = {
  kind: 'flow',
  heads: {
    name: 'flows',
    indexes: [
      {
        name: 'by_name',
        fields: [
          ['org', 'asc'],
          ['name', 'asc'],
        ],
      },
    ],
  },
  fold: 1,
  evolve(state, event, meta) {
    const { template: _, ...settings } = event.data;
    switch (event.type) {
      case 'FlowCreated':
        return {
          ...(settings as Omit<typeof event.data, 'template'>),
          org: meta.org,
          tags: {},
          archived: false,
          createdAt: meta.at,
          lastModifiedAt: meta.at,
        };
      case 'FlowUpdated':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return { ...state, ...settings, lastModifiedAt: meta.at };
    }
  },
  kept: (state, { data }) =>
    data.template === undefined || data.templateId === undefined
      ? []
      : [{ collection: flowTemplates, id: data.templateId, doc: { flow: state.id, template: data.template } }],
};
