import type { FlowAnswer } from '@assurance/contracts-http';
import type { FlowTemplate } from '@assurance/contracts-events';
import type { Flow } from '@assurance/model-flow';

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
    last_deployment_at: lastDeploymentAt,
  };
}
