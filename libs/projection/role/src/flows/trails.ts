import type { TrailAnswer, TrailListItem, TrailPage } from '@assurance/contracts-http';
import { PORTS, type Ports, type Refusal, SETTINGS, type Settings } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import { trail as trailAggregate } from '@assurance/model';
import {
  flowsById,
  flowsTagged,
  getTrail,
  listTrails,
  type PageRequest,
  totalPages,
  trailItem,
  type TrailsFound,
  trailsView,
} from '@assurance/projection-views';
import { statusesOf } from '@assurance/readers';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Caller, siteOf } from '../caller';
import { queryBy, type SeenPage } from '../queries';
import { Lookups } from '../views/lookups';
import { Views } from '../views/view';

/** One trail. */
export class GetTrail extends queryBy<{ flow: string; trail: string }, Result<TrailAnswer, Refusal>>() {}

@QueryHandler(GetTrail)
export class GetTrailHandler implements IQueryHandler<GetTrail> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller, flow: flowName, trail: name }: GetTrail): Promise<Result<TrailAnswer, Refusal>> {
    const flow = await this.lookups.flow(caller.org, flowName);
    if (!flow.ok) return flow;
    const trail = await this.lookups.trail(caller.org, flow.value, name);
    if (!trail.ok) return trail;
    const nameOf = this.lookups.actors();
    const createdBy = await nameOf(trail.value.createdBy);
    return ok(await getTrail(this.ports, siteOf(this.settings, caller), flow.value, trail.value, createdBy));
  }
}

export interface TrailsWanted {
  /** Name of a flow. */
  readonly flow?: string;
  readonly fingerprint?: string;
  /** `key=value` */
  readonly flowTag?: string;
  /** Whether each trail has its whole compliance status. */
  readonly withStatus?: boolean;
}

/** One page of trails, with how many there are. */
export class ListTrails extends queryBy<
  { wanted: TrailsWanted; page: PageRequest },
  Result<SeenPage<TrailPage>, Refusal>
>() {}

@QueryHandler(ListTrails)
export class ListTrailsHandler implements IQueryHandler<ListTrails> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly lookups: Lookups,
    private readonly views: Views,
  ) {}

  async execute({ caller, wanted, page }: ListTrails): Promise<Result<SeenPage<TrailPage>, Refusal>> {
    const org = caller.org.id;
    const flow = wanted.flow === undefined ? null : await this.lookups.flow(caller.org, wanted.flow);
    if (flow?.ok === false) return flow;
    const tagged =
      wanted.flowTag === undefined ? null : await flowsTagged(this.ports.documents, org, pair(wanted.flowTag));
    const flows = flow === null ? tagged : [flow.value.id].filter((id) => tagged?.includes(id) !== false);
    const filter = { org, flows, fingerprint: wanted.fingerprint ?? null };
    const { value, behind } = await this.views.read(trailsView, caller, (documents) =>
      listTrails(documents, filter, page),
    );
    const pagination = { page: page.page, page_count: totalPages(value.count, page.perPage), total: value.count };
    const data = await this.items(caller, value, wanted.withStatus === true);
    return ok({ value: { data, pagination }, behind, ends: value });
  }

  /** The view has the list of trails; their aggregate states have the details. */
  private async items(caller: Caller, found: TrailsFound, withStatus: boolean): Promise<TrailListItem[]> {
    const { documents } = this.ports;
    const site = siteOf(this.settings, caller);
    const states = await documents.collection(trailAggregate.states).getMany(found.trails);
    const trails = found.trails.flatMap((stream) => states.get(stream) ?? []);
    const flows = await flowsById(
      documents,
      trails.map(({ flow }) => flow.id),
    );
    const statusOf = await statusesOf(documents, trails);
    return trails.map((trail) =>
      trailItem(site, flows.get(trail.flow.id)?.name ?? trail.flow.name, trail, statusOf(trail), withStatus),
    );
  }
}

/** `key=value`; a key alone means the empty value. */
function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
