import { shownSpaceOf } from '@assurance/access/lookups/spaces';
import {
  type EnvironmentPage,
  type FlowListItem,
  type FlowPage,
  WHOLE_LIST_MAX,
} from '@assurance/contracts/environments/answers/catalogue';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { streams } from '@assurance/contracts/events/streams';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { pageFields, type PageRequest, totalPages } from '@assurance/event-sourcing/projection/listing';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import { flow as flows, flowTemplates } from '@assurance/flows/domain/flow';
import { trail as trails } from '@assurance/flows/domain/trail';
import { statusesOf } from '@assurance/flows/lookups/statuses';
import { flowActivityView } from '@assurance/flows/read/flows/activity';
import { flowListItem } from '@assurance/flows/read/flows/answer';
import { type FlowFilter, type ListedFlow, listFlows } from '@assurance/flows/read/flows/list';
import { repoUrls } from '@assurance/flows/read/flows/repo-url';
import { queryBy, ReadingHandler, ViewHandler } from '@assurance/http/queries';
import { pause } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { environmentAnswers } from './environments';
import { type EnvironmentFilter, listEnvironments } from './environments/list';

/** A list that may be asked for without a page: then it is bare, and cut at `WHOLE_LIST_MAX`. */
export interface WholeList<Item, Page> {
  readonly body: readonly Item[] | Page;
  /** How many match. */
  readonly count: number;
  /** Null for a list without a page. */
  readonly ends: PageEnds | null;
}

/** So many items are made before others may get the thread. */
const SHOWN_TOGETHER = 16;
const WHOLE: PageRequest = { page: 1, perPage: WHOLE_LIST_MAX };

/** Environments: all, or a page of them. */
export class ListEnvironments extends queryBy<
  { filter: Omit<EnvironmentFilter, 'org' | 'shownIn'>; page: PageRequest | null },
  WholeList<EnvironmentAnswer, EnvironmentPage>
>() {}

@QueryHandler(ListEnvironments)
export class ListEnvironmentsHandler extends ReadingHandler implements IQueryHandler<ListEnvironments> {
  async execute({ caller: { org }, filter, page }: ListEnvironments) {
    const shownIn = await shownSpaceOf(this.ports.documents, org);
    const scopedFilter = { ...filter, org: org.id, shownIn };
    const { environments, count, ...ends } = await listEnvironments(this.ports.documents, scopedFilter, page ?? WHOLE);
    const answers = environments.map(await environmentAnswers(this.ports.documents, org, environments, shownIn));
    if (page === null) return { body: answers, count, ends: null };
    return { body: { ...pageFields(page, count), environments: answers }, count, ends };
  }
}

/** Flows: all, or a page of them. */
export class ListFlows extends queryBy<
  { filter: Omit<FlowFilter, 'org' | 'shownIn'>; page: PageRequest | null },
  ViewAnswer<WholeList<FlowListItem, FlowPage>>
>() {}

@QueryHandler(ListFlows)
export class ListFlowsHandler extends ViewHandler implements IQueryHandler<ListFlows> {
  async execute({ caller, filter, page }: ListFlows): Promise<ViewAnswer<WholeList<FlowListItem, FlowPage>>> {
    const shownIn = await shownSpaceOf(this.ports.documents, caller.org);
    const scopedFilter = { ...filter, org: caller.org.id, shownIn };
    const { value, behind } = await this.views.read(flowActivityView, caller, (documents) =>
      listFlows(documents, scopedFilter, page ?? WHOLE),
    );
    const { count } = value;
    const data = await this.describeFlows(caller.org.name, value.flows, shownIn);
    if (page === null) return { value: { body: data, count, ends: null }, behind };
    const pagination = { page: page.page, page_count: totalPages(count, page.perPage), total: count };
    return { value: { body: { data, pagination }, count, ends: value }, behind };
  }

  /** The view has the list of flows; their aggregate states have the details. */
  private async describeFlows(
    org: string,
    listedFlows: readonly ListedFlow[],
    shownIn: FlowFilter['shownIn'],
  ): Promise<FlowListItem[]> {
    const { documents } = this.ports;
    const states = await documents.collection(flows.states).getMany(listedFlows.map(({ id }) => streams.flow(id)));
    const ids = [...states.values()].map(({ templateId }) => templateId);
    const templates = await documents.collection(flowTemplates).getMany(ids);
    const latest = await documents
      .collection(trails.states)
      .getMany(listedFlows.flatMap(({ latestTrail }) => latestTrail ?? []));
    const statusOf = await statusesOf(documents, [...latest.values()]);
    const urlOf = await repoUrls(documents, [...latest.values()]);
    const items: FlowListItem[] = [];
    for (const [i, { id, latestActivityAt, latestTrail }] of listedFlows.entries()) {
      if (i % SHOWN_TOGETHER === 0) await pause();
      const flow = states.get(streams.flow(id));
      const storedTemplate = flow === undefined ? undefined : templates.get(flow.templateId);
      if (flow === undefined || storedTemplate === undefined) continue;
      const trail = latestTrail === null ? undefined : latest.get(latestTrail);
      const state = trail === undefined ? null : statusOf(trail).status;
      const url = trail === undefined ? null : urlOf(trail);
      items.push(flowListItem(org, flow, storedTemplate.template, shownIn(flow.space), latestActivityAt, state, url));
    }
    return items;
  }
}
