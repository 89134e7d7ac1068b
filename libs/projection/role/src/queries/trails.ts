import type { TrailAnswer, TrailListItem, TrailPage } from '@assurance/contracts-http';
import { PORTS, type Ports, type Refusal, SETTINGS, type Settings } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import {
  flowsById,
  getTrail,
  listTrails,
  type PageRequest,
  statusOf,
  templateOf,
  totalPages,
  trailItem,
  type TrailsFound,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Asker, siteOf } from '../asker';
import { Lookups } from '../lookups';

/** One trail (WIRE 8.3). */
export class GetTrail extends Query<Result<TrailAnswer, Refusal>> {
  constructor(
    readonly asker: Asker,
    readonly flow: string,
    readonly trail: string,
  ) {
    super();
  }
}

@QueryHandler(GetTrail)
export class GetTrailHandler implements IQueryHandler<GetTrail> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly lookups: Lookups,
  ) {}

  async execute({ asker, flow: flowName, trail: name }: GetTrail): Promise<Result<TrailAnswer, Refusal>> {
    const flow = await this.lookups.flow(asker.org, flowName);
    if (!flow.ok) return flow;
    const trail = await this.lookups.trail(asker.org, flow.value, name);
    if (!trail.ok) return trail;
    const createdBy = await this.lookups.actor(trail.value.createdBy);
    return ok(await getTrail(this.ports, siteOf(this.settings, asker), flow.value, trail.value, createdBy));
  }
}

export interface TrailsWanted {
  /** Name of a flow. */
  readonly flow?: string;
  readonly fingerprint?: string;
  /** `key=value` */
  readonly flowTag?: string;
}

/** One page of trails, with how many there are (WIRE 8.2). */
export class ListTrails extends Query<Result<TrailPage, Refusal>> {
  constructor(
    readonly asker: Asker,
    readonly wanted: TrailsWanted,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListTrails)
export class ListTrailsHandler implements IQueryHandler<ListTrails> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly lookups: Lookups,
  ) {}

  async execute({ asker, wanted, page }: ListTrails): Promise<Result<TrailPage, Refusal>> {
    const { documents } = this.ports;
    const flow = wanted.flow === undefined ? null : await this.lookups.flow(asker.org, wanted.flow);
    if (flow?.ok === false) return flow;
    const filter = {
      org: asker.org.id,
      flow: flow?.value.id,
      fingerprint: wanted.fingerprint,
      flowTag: wanted.flowTag === undefined ? undefined : pair(wanted.flowTag),
    };
    const found = await listTrails(documents, filter, page);
    const pagination = { page: page.page, page_count: totalPages(found.count, page.perPage), total: found.count };
    return ok({ data: await this.items(asker, found), pagination });
  }

  private async items(asker: Asker, { trails }: TrailsFound): Promise<TrailListItem[]> {
    const { documents } = this.ports;
    const site = siteOf(this.settings, asker);
    const flows = await flowsById(
      documents,
      trails.map(({ flow }) => flow.id),
    );
    return Promise.all(
      trails.map(async (trail) => {
        const { status } = await statusOf(documents, trail, await templateOf(documents, trail.templateId));
        return trailItem(site, flows.get(trail.flow.id)?.name ?? trail.flow.name, trail, status);
      }),
    );
  }
}

/** `key=value`; a key alone means the empty value. */
function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
