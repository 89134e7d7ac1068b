import type { TrailAnswer, TrailListItem } from '@assurance/contracts/flows/answers/trail';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { FlowTemplate } from '@assurance/contracts/flows/events';
import { links, type Site } from '@assurance/contracts/http/links';
import type { Engines } from '@assurance/storage-ports';
import { requirementsOf, type TrailStatus } from '../../domain/compliance';
import type { Trail } from '../../domain/trail';
import { attestedCommitAnswer } from '../../lookups/commit-answer';
import { statusesOf } from '../../lookups/statuses';
import { templatesOf } from '../../lookups/templates';
import { trailEvents } from './events';
import { settingsOf } from './settings';
import { statusAnswer } from './status';

/**
 * Builds the API answer for one trail.
 *
 * @param createdBy name of its creator
 */
export async function getTrail(
  engines: Pick<Engines, 'events' | 'documents'>,
  site: Site,
  flow: Pick<Flow, 'name' | 'tags'>,
  trail: Trail,
  createdBy: string,
): Promise<TrailAnswer> {
  const template = (await templatesOf(engines.documents, [trail.templateId]))(trail.templateId);
  const status = statusAnswer((await statusesOf(engines.documents, [trail]))(trail), trail);
  const settings = await settingsOf(engines.events, trail, ['commit', 'userData', 'externalUrls', 'originUrl']);
  return {
    name: trail.name,
    description: trail.description,
    flow: { name: flow.name, tags: flow.tags },
    git_commit_info: settings.commit == null ? null : attestedCommitAnswer(settings.commit),
    origin_url: settings.originUrl ?? null,
    user_data: settings.userData ?? {},
    repo_ids: trail.repo === null ? [] : [trail.repo],
    external_urls: settings.externalUrls ?? null,
    created_at: trail.createdAt / 1000,
    last_modified_at: trail.lastModifiedAt / 1000,
    created_by: createdBy,
    html_url: links.trailPage(site, flow.name, trail.name),
    compliance_state: status.status,
    is_compliant: status.is_compliant,
    compliance_status: status,
    template: templateAnswer(template),
    events: await trailEvents(engines, trail),
  };
}

function templateAnswer(template: FlowTemplate): TrailAnswer['template'] {
  return { version: 1, trail: requirementsOf(template), content: 'yaml' in template ? template.yaml : '' };
}

/** A trail in a list. */
export function trailItem(
  site: Site,
  { name: flow, tags }: Pick<Flow, 'name' | 'tags'>,
  trail: Trail,
  { status, template, createdBy }: { status: TrailStatus; template: FlowTemplate; createdBy: string },
): TrailListItem {
  return {
    name: trail.name,
    description: trail.description,
    flow_name: flow,
    compliance_state: status.status,
    is_compliant: status.status === 'COMPLIANT',
    created_at: trail.createdAt / 1000,
    last_modified_at: trail.lastModifiedAt / 1000,
    html_url: links.trailPage(site, flow, trail.name),
    flow: { name: flow, tags },
    created_by: createdBy,
    repo_ids: trail.repo === null ? [] : [trail.repo],
    template: templateAnswer(template),
    compliance_status: statusAnswer(status, trail),
  };
}
