import { actorNames, actorsOf } from '@assurance/access/lookups/actors';
import type { TrailAnswer, TrailListItem, TrailPage } from '@assurance/contracts/flows/answers/trail';
import { type PageRequest, totalPages } from '@assurance/event-sourcing/projection/listing';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler, ViewHandler, type ViewPage } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { mapInSlices, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { trail as trailAggregate } from '../domain/trail';
import { findFlow, findTrail } from '../lookups/flows';
import { statusesOf } from '../lookups/statuses';
import { templatesOf } from '../lookups/templates';
import { getTrail, trailItem } from './trails/answer';
import { trailsView } from './trails/follow';
import { flowsById, findFlowsByTag, listTrails, type MatchingTrails } from './trails/list';

/** Gets one trail. */
export class GetTrail extends queryBy<{ flow: string; trail: string }, Result<TrailAnswer, Refusal>>() {}

@QueryHandler(GetTrail)
export class GetTrailHandler extends ReadingHandler implements IQueryHandler<GetTrail> {
  async execute({ caller, flow: flowName, trail: name }: GetTrail): Promise<Result<TrailAnswer, Refusal>> {
    const flow = await findFlow(this.ports, caller.org, flowName);
    if (!flow.ok) return flow;
    const trail = await findTrail(this.ports, caller.org, flow.value, name);
    if (!trail.ok) return trail;
    const nameOf = actorsOf(this.ports.documents);
    const createdBy = await nameOf(trail.value.createdBy);
    return ok(await getTrail(this.ports, siteOf(this.settings, caller), flow.value, trail.value, createdBy));
  }
}

export interface TrailSelection {
  /** Name of a flow. */
  readonly flow?: string;
  readonly fingerprint?: string;
  /** `key=value` */
  readonly flowTag?: string;
}

/** Lists one page of trails, and their total number. */
export class ListTrails extends queryBy<
  { selection: TrailSelection; page: PageRequest },
  Result<ViewPage<TrailPage>, Refusal>
>() {}

@QueryHandler(ListTrails)
export class ListTrailsHandler extends ViewHandler implements IQueryHandler<ListTrails> {
  async execute({ caller, selection, page }: ListTrails): Promise<Result<ViewPage<TrailPage>, Refusal>> {
    const org = caller.org.id;
    const flow = selection.flow === undefined ? null : await findFlow(this.ports, caller.org, selection.flow);
    if (flow?.ok === false) return flow;
    const taggedIds =
      selection.flowTag === undefined ? null : await findFlowsByTag(this.ports.documents, org, pair(selection.flowTag));
    const flows = flow === null ? taggedIds : [flow.value.id].filter((id) => taggedIds?.includes(id) !== false);
    const filter = { org, flows, fingerprint: selection.fingerprint ?? null };
    const { value, behind } = await this.views.read(trailsView, caller, (documents) =>
      listTrails(documents, filter, page),
    );
    const { page: number, perPage } = page;
    const pages = { page: number, per_page: perPage, page_count: totalPages(value.count, perPage) };
    const pagination = { ...pages, total: value.count };
    const data = await this.items(caller, value);
    return ok({ value: { data, pagination }, behind, ends: value });
  }

  /** Builds list items. The view has the list of trails, and the aggregate states have the details. */
  private async items(caller: Caller, matchingTrails: MatchingTrails): Promise<TrailListItem[]> {
    const { documents } = this.ports;
    const site = siteOf(this.settings, caller);
    const states = await documents.collection(trailAggregate.states).getMany(matchingTrails.trails);
    const trails = matchingTrails.trails.flatMap((stream) => states.get(stream) ?? []);
    const flowIds = trails.map(({ flow }) => flow.id);
    const flows = await flowsById(documents, flowIds);
    const statusOf = await statusesOf(documents, trails);
    const templateIds = trails.map(({ templateId }) => templateId);
    const templateOf = await templatesOf(documents, templateIds);
    const creators = trails.map(({ createdBy }) => createdBy);
    const nameOf = await actorNames(documents, creators);
    return mapInSlices(trails, (trail) =>
      trailItem(site, flows.get(trail.flow.id) ?? { name: trail.flow.name, tags: {} }, trail, {
        status: statusOf(trail),
        template: templateOf(trail.templateId),
        createdBy: nameOf(trail.createdBy),
      }),
    );
  }
}

/** `key=value`; a key alone means the empty value. */
function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
