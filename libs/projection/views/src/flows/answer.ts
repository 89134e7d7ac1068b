import type { FlowAnswer, FlowListItem } from '@assurance/contracts-http';
import type { FlowTemplate } from '@assurance/contracts-events';
import type { Flow, TrailState } from '@assurance/model-flow';

/**
 * A flow as the wire shows it (WIRE 7.3; DECISIONS, Flow).
 *
 * @param lastDeploymentAt epoch seconds
 */
export function flowAnswer(
  org: string,
  flow: Flow,
  template: FlowTemplate,
  lastDeploymentAt: number | null,
): FlowAnswer {
  return { ...shown(org, flow, template), last_deployment_at: lastDeploymentAt };
}

/**
 * A flow as its list shows it (WIRE 7.2).
 *
 * @param latestActivityAt integer milliseconds
 * @param latestState what the trail comes to in which something happened last; null where there is none
 */
export function flowListItem(
  org: string,
  flow: Flow,
  template: FlowTemplate,
  latestActivityAt: number,
  latestState: TrailState | null,
): FlowListItem {
  const latest = { latest_activity_at: latestActivityAt / 1000, latest_state: latestState };
  return { ...shown(org, flow, template), ...latest };
}

function shown(org: string, flow: Flow, template: FlowTemplate) {
  const { id, name, description, visibility, tags } = flow;
  return {
    id,
    name,
    description,
    visibility,
    org,
    template: 'yaml' in template ? template.yaml : [...template.list],
    repo_url: null,
    tags,
  };
}
