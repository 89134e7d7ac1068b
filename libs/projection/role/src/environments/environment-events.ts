import type { EnvironmentDiffAnswer, EnvironmentEvent } from '@assurance/contracts-http';
import { CLOCK, type Clock, PORTS, type Ports, type Refusal, SETTINGS, type Settings } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import {
  environmentDiff,
  environmentEvent,
  environmentEventsView,
  listEnvironmentEvents,
  type PageRequest,
  readSnapshot,
  readSnappish,
  resolveExpression,
  type Side,
  type Snappish,
  type SnapshotRange,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Caller, siteOf } from '../caller';
import { queryBy, type SeenPage } from '../queries';
import { Lookups } from '../views/lookups';
import {
  type RequestedRange,
  readRange,
  resolveRange,
  snapshotDropped,
  snapshotUnknown,
  unreadable,
} from './snapshots';
import { Views } from '../views/view';

/** Events, and the snapshots that made them. */
interface EventsSeen extends SeenPage<EnvironmentEvent[]> {
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
  Result<EventsSeen, Refusal>
>() {}

@QueryHandler(ListEnvironmentEvents)
export class ListEnvironmentEventsHandler implements IQueryHandler<ListEnvironmentEvents> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly lookups: Lookups,
    private readonly views: Views,
  ) {}

  async execute(query: ListEnvironmentEvents): Promise<Result<EventsSeen, Refusal>> {
    const { caller, page, repoNames, oldestFirst } = query;
    const asked = readRange(query.range, this.clock.now());
    if (!asked.ok) return asked;
    const found = await this.lookups.environment(caller.org, query.environment);
    if (!found.ok) return found;
    const { id: environment, name } = found.value;
    const range = await resolveRange(this.ports.events, found.value, asked.value, 'made');
    const named = await Promise.all(repoNames.map((repo) => this.lookups.reposNamed(caller.org, repo)));
    const repos = repoNames.length === 0 ? null : [...new Set(named.flat())];
    const { value, behind } = await this.views.read(environmentEventsView, caller, (documents) =>
      listEnvironmentEvents(documents, { environment, range, repos, oldestFirst }, page),
    );
    const site = siteOf(this.settings, caller);
    const events = value.found.map(({ doc }) => environmentEvent(site, name, doc));
    return ok({ value: events, behind, ends: value, range });
  }
}

/** Two snapshots compared: whole lists, or a page of each. */
export class DiffEnvironments extends queryBy<
  { snappish1: string; snappish2: string; page: PageRequest | null },
  Result<EnvironmentDiffAnswer, Refusal>
>() {}

@QueryHandler(DiffEnvironments)
export class DiffEnvironmentsHandler implements IQueryHandler<DiffEnvironments> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly lookups: Lookups,
  ) {}

  async execute(query: DiffEnvironments): Promise<Result<EnvironmentDiffAnswer, Refusal>> {
    const { caller, snappish1, snappish2, page } = query;
    const now = this.clock.now();
    const [first, second] = [readSnappish(snappish1, now), readSnappish(snappish2, now)];
    if (first === null) return no(unreadable('snappish1', SNAPPISH_FORMS, snappish1));
    if (second === null) return no(unreadable('snappish2', SNAPPISH_FORMS, snappish2));
    const one = await this.side(caller, first);
    if (!one.ok) return one;
    const two = await this.side(caller, second);
    return two.ok ? ok(environmentDiff(one.value, two.value, page)) : two;
  }

  private async side(caller: Caller, asked: Snappish): Promise<Result<Side, Refusal>> {
    const found = await this.lookups.environment(caller.org, asked.environment);
    if (!found.ok) return found;
    const index = await resolveExpression(this.ports.events, found.value, asked.expression);
    const { name, snapshot: count } = found.value;
    const read = index < 1 || index > count ? null : await readSnapshot(this.ports.events, found.value, index);
    if (read === 'dropped') return no(snapshotDropped(asked, index));
    if (read === null) return no(snapshotUnknown(caller, asked, index, count));
    return ok({ id: `${name}#${index}`, snapshot: read.snapshot });
  }
}

const SNAPPISH_FORMS = "such as 'env', 'env#3', 'env~1', 'env@{2023-10-02T12:00:00}' or 'env@{5.hours.ago}'";
