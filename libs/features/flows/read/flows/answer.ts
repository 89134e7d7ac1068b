import type { FlowListItem } from '@assurance/contracts/environments/answers/catalogue';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowTemplate } from '@assurance/contracts/flows/events';
import type { TrailState } from '../../domain/requirements';

/**
 * Builds the API answer for a flow.
 *
 * @param spaceId id of the space in which it is shown
 * @param lastDeploymentAt epoch seconds
 * @param repoUrl repository of the trail with the latest activity; null if it names none
 */
export function flowAnswer(
  org: string,
  flow: Flow,
  template: FlowTemplate,
  spaceId: string,
  lastDeploymentAt: number | null,
  repoUrl: string | null,
): FlowAnswer {
  return { ...answerFields(org, flow, template, spaceId, repoUrl), last_deployment_at: lastDeploymentAt };
}

/**
 * Builds the API answer for a flow in a list.
 *
 * @param spaceId id of the space in which it is shown
 * @param latestActivityAt integer milliseconds
 * @param latestState the state of the trail with the latest activity; null without trails
 */
export function flowListItem(
  org: string,
  flow: Flow,
  template: FlowTemplate,
  spaceId: string,
  latestActivityAt: number,
  latestState: TrailState | null,
  repoUrl: string | null,
): FlowListItem {
  const latest = { latest_activity_at: latestActivityAt / 1000, latest_state: latestState };
  return { ...answerFields(org, flow, template, spaceId, repoUrl), ...latest };
}

function answerFields(org: string, flow: Flow, template: FlowTemplate, spaceId: string, repoUrl: string | null) {
  const { id, name, description, visibility, tags } = flow;
  return {
    id,
    name,
    description,
    visibility,
    org,
    template: 'yaml' in template ? template.yaml : [...template.list],
    repo_url: repoUrl,
    tags,
    space_id: spaceId,
  };
}
