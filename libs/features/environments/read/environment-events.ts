import type { EnvironmentDiffAnswer } from '@assurance/contracts/environments/answers/environment-diff';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { flowNames, lastFlowChange, type RecordedFlow } from '@assurance/flows/lookups/flow-names';
import { findRepoIdsByName } from '@assurance/flows/lookups/repos';
import type { Refusal, SharedAnswer } from '@assurance/http';
import { queryBy, ReadingHandler, ViewHandler, type ViewPage } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { err, mapInSlices, ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findEnvironment } from '../lookups/environments';
import { environmentDiff, type Side } from './environment-diff/answer';
import { environmentEvent } from './environment-events/answer';
import { environmentEventsView } from './environment-events/follow';
import { listEnvironmentEvents } from './environment-events/list';
import { readRange, type RequestedRange, resolveRange, unreadableExpression } from './snapshots';
import { readSnappish, SNAPPISH_FORMS } from './snapshots/expression';
import type { SnapshotRange } from './snapshots/interval';
import { type LocatedSnapshot, locateSnapshot, readLocatedSnapshot } from './snapshots/located-snapshot';

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

/** Two snapshots compared: whole lists, or a page of each. Those who ask for the same comparison at the same time share it. */
export class DiffEnvironments extends queryBy<
  { snappish1: string; snappish2: string; page: PageRequest | null },
  Result<SharedAnswer<Result<EnvironmentDiffAnswer, Refusal>>, Refusal>
>() {}

@QueryHandler(DiffEnvironments)
export class DiffEnvironmentsHandler extends ReadingHandler implements IQueryHandler<DiffEnvironments> {
  async execute(query: DiffEnvironments) {
    const { caller, snappish1, snappish2, page } = query;
    const now = this.clock.now();
    const [first, second] = [readSnappish(snappish1, now), readSnappish(snappish2, now)];
    if (first === null) return err(unreadableExpression('snappish1', SNAPPISH_FORMS, snappish1));
    if (second === null) return err(unreadableExpression('snappish2', SNAPPISH_FORMS, snappish2));
    const result = await locateSnapshot(this.ports, caller, first);
    if (!result.ok) return result;
    const two = await locateSnapshot(this.ports, caller, second);
    if (!two.ok) return two;
    const make = () => this.compare(result.value, two.value, page);
    // All that the answer depends on: snapshots never change, and flows get other names.
    const sides = [result.value, two.value].map(({ environment: { id, name }, index }) => [id, name, index]);
    const flowNamesRevision = await lastFlowChange(this.ports.documents, caller.org.id);
    return ok({ key: JSON.stringify([...sides, flowNamesRevision, page]), make });
  }

  private async compare(
    first: LocatedSnapshot,
    second: LocatedSnapshot,
    page: PageRequest | null,
  ): Promise<Result<EnvironmentDiffAnswer, Refusal>> {
    const result = await this.side(first);
    if (!result.ok) return result;
    const two = await this.side(second);
    if (!two.ok) return two;
    const recordedFlows: RecordedFlow[] = [];
    for (const { snapshot } of [result.value, two.value])
      await mapInSlices(snapshot.artifacts, ({ flows: [first] }) => {
        if (first !== undefined) recordedFlows.push(first.flow);
      });
    return ok(
      await environmentDiff(result.value, two.value, await flowNames(this.ports.documents, recordedFlows), page),
    );
  }

  private async side(located: LocatedSnapshot): Promise<Result<Side, Refusal>> {
    const snapshot = await readLocatedSnapshot(this.ports.events, located);
    return snapshot.ok ? ok({ id: located.id, snapshot: snapshot.value }) : snapshot;
  }
}
