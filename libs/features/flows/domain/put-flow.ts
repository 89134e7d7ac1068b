import type { Flow } from '@assurance/contracts/flows/documents';
import type {
  FlowCreated,
  FlowRevived,
  FlowTemplate,
  FlowUpdated,
  Visibility,
} from '@assurance/contracts/flows/events';
import { accepted, canonicalJson, changedOf, type Decision, noChange } from '@assurance/kernel';

/** The settings that a caller gives. An absent field keeps its value. */
export interface PutFlow {
  readonly name: string;
  readonly description?: string;
  readonly visibility?: Visibility;
  readonly template?: FlowTemplate;
}

/** The template of a flow that was created without one. */
export const EMPTY_TEMPLATE: FlowTemplate = { yaml: 'version: 1\n' };

/**
 * Creates or updates a flow. An archived flow is revived. A changed template is a new version with its own id.
 *
 * @param facts.id the id of a new flow
 * @param facts.templateId the id of a new template
 * @param facts.template the template in force; null for a new flow
 */
export function decidePutFlow(
  state: Flow | null,
  { name, description, visibility, template }: PutFlow,
  facts: { readonly id: string; readonly templateId: string; readonly template: FlowTemplate | null },
): Decision<FlowCreated | FlowRevived | FlowUpdated, never> {
  const { id, templateId } = facts;
  if (state === null) {
    const data = {
      id,
      name,
      description: description ?? '',
      visibility: visibility ?? 'private',
      template: template ?? EMPTY_TEMPLATE,
      templateId,
    } as const;
    return accepted({ type: 'FlowCreated', version: 1, data });
  }
  const settings = changedOf<Pick<Flow, 'description' | 'visibility'>>(state, { description, visibility });
  const other = template !== undefined && canonicalJson(template) !== canonicalJson(facts.template);
  const data = { ...settings, ...(other ? { template, templateId } : {}) };
  const update: FlowUpdated[] = settings === null && !other ? [] : [{ type: 'FlowUpdated', version: 1, data }];
  if (state.archived)
    return accepted<FlowRevived, FlowUpdated>({ type: 'FlowRevived', version: 1, data: {} }, ...update);
  const [only] = update;
  return only === undefined ? noChange : accepted(only);
}
