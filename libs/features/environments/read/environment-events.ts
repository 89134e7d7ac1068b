import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { flowNames } from '@assurance/flows/lookups/flow-names';
import { findRepoIdsByName } from '@assurance/flows/lookups/repos';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler, type ViewPage } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findEnvironment } from '../lookups/environments';
import { environmentEvent } from './environment-events/answer';
import { environmentEventsView } from './environment-events/follow';
import { listEnvironmentEvents } from './environment-events/list';
import { readRange, type RequestedRange, resolveRange } from './snapshots';
import type { SnapshotRange } from './snapshots/interval';

/** Events, and the snapshots that made them. */
interface EventsPage extends ViewPage<EnvironmentEvent[]> {
  readonly range: SnapshotRange;
}

/** The events of an environment. */
export class ListEnvironmentEvents extends queryBy<
  {
    environment: string;
    page: PageRequest;
    range: RequestedRange;
    /** Exact names; empty for all. */
    repoNames: readonly string[];
    oldestFirst: boolean;
  },
  Result<EventsPage, Refusal>
>() {}

@QueryHandler(ListEnvironmentEvents)
export class ListEnvironmentEventsHandler extends ViewHandler implements IQueryHandler<ListEnvironmentEvents> {
  async execute(query: ListEnvironmentEvents): Promise<Result<EventsPage, Refusal>> {
    const { caller, page, repoNames, oldestFirst } = query;
    const result = readRange(query.range, this.clock.now());
    if (!result.ok) return result;
    const lookup = await findEnvironment(this.ports, caller.org, query.environment);
    if (!lookup.ok) return lookup;
    const { id: environment, name } = lookup.value;
    const range = await resolveRange(this.ports.events, lookup.value, result.value, 'made');
    const repoIds = await Promise.all(
      repoNames.map((repo) => findRepoIdsByName(this.ports.documents, caller.org, repo)),
    );
    const repos = repoNames.length === 0 ? null : [...new Set(repoIds.flat())];
    const { value, behind } = await this.views.read(environmentEventsView, caller, (documents) =>
      listEnvironmentEvents(documents, { environment, range, repos, oldestFirst }, page),
    );
    const site = siteOf(this.settings, caller);
    const rows = value.documents.map(({ doc }) => doc);
    const flowIds = rows.flatMap(({ flows }) => flows);
    const flowNameOf = await flowNames(this.ports.documents, flowIds);
    const events = rows.map((row) => environmentEvent(site, name, flowNameOf, row));
    return ok({ value: events, behind, ends: value, range });
  }
}
