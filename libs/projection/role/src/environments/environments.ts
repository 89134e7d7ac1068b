import type { EnvironmentAnswer, SnapshotAnswer, SnapshotListItem } from '@assurance/contracts-http';
import {
  CLOCK,
  type Clock,
  PORTS,
  type Ports,
  type Refusal,
  SETTINGS,
  type Settings,
  type SharedAnswer,
} from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import { type Environment, environmentActivity } from '@assurance/model';
import {
  type ArtifactSelection,
  environmentAnswer,
  EXPRESSION_FORMS,
  getSnapshot,
  listSnapshots,
  type PageEnds,
  type PageRequest,
  readExpression,
  resolveExpression,
  type SnapshotRange,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Caller, siteOf } from '../caller';
import { queryBy, ReadingHandler } from '../queries';
import { Lookups } from '../views/lookups';
import { readRange, resolveRange, snapshotDropped, snapshotUnknown, unreadable } from './snapshots';

/** One environment. */
export class GetEnvironment extends queryBy<{ name: string }, Result<EnvironmentAnswer, Refusal>>() {}

@QueryHandler(GetEnvironment)
export class GetEnvironmentHandler extends ReadingHandler implements IQueryHandler<GetEnvironment> {
  async execute({ caller: { org }, name }: GetEnvironment): Promise<Result<EnvironmentAnswer, Refusal>> {
    const found = await this.lookups.environment(org, name);
    if (!found.ok) return found;
    const shown = await showing(this.ports, this.lookups, org, [found.value], await this.lookups.shownIn(org));
    return ok(shown(found.value));
  }
}

/**
 * How some environments are shown.
 *
 * @param shownIn the id of the space in which something is shown, by that of the space that it was put into
 */
export async function showing(
  { documents }: Ports,
  lookups: Lookups,
  org: Caller['org'],
  environments: readonly Environment[],
  shownIn: (space?: string) => string,
): Promise<(environment: Environment) => EnvironmentAnswer> {
  const activity = await documents.collection(environmentActivity).getMany(environments.map(({ id }) => id));
  const states = await lookups.environments(environments.flatMap((one) => one.includedEnvironments ?? []));
  const policies = await lookups.policyNames(environments.flatMap((one) => one.policies));
  return (environment) => {
    const members = environment.includedEnvironments?.flatMap((id) => states.get(id)?.name ?? []) ?? null;
    const reported = activity.get(environment.id) ?? null;
    return environmentAnswer(org.name, environment, reported, members, shownIn(environment.space), policies);
  };
}

/** One page of an environment's snapshots. */
export class ListSnapshots extends queryBy<
  { environment: string; page: PageRequest; interval: string | undefined; oldestFirst: boolean },
  Result<{ items: SnapshotListItem[]; range: SnapshotRange; ends: PageEnds }, Refusal>
>() {}

@QueryHandler(ListSnapshots)
export class ListSnapshotsHandler implements IQueryHandler<ListSnapshots> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller, environment, page, interval, oldestFirst }: ListSnapshots) {
    const now = this.clock.now();
    const asked = readRange({ interval }, now);
    if (!asked.ok) return asked;
    const found = await this.lookups.environment(caller.org, environment);
    if (!found.ok) return found;
    const range = await resolveRange(this.ports.events, found.value, asked.value, 'in-force');
    const { items, ...ends } = await listSnapshots(this.ports.events, found.value, range, page, oldestFirst, now);
    return ok({ items, range, ends });
  }
}

/** One snapshot, by an expression. Those who ask for the same one at the same time share it. */
export class GetSnapshot extends queryBy<
  { environment: string; expression: string; selection: ArtifactSelection },
  Result<SharedAnswer<Result<SnapshotAnswer, Refusal>>, Refusal>
>() {}

@QueryHandler(GetSnapshot)
export class GetSnapshotHandler implements IQueryHandler<GetSnapshot> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller, environment, expression, selection }: GetSnapshot) {
    const asked = readExpression(expression, this.clock.now());
    if (asked === null) return no(unreadable('expr', EXPRESSION_FORMS, expression));
    const found = await this.lookups.environment(caller.org, environment);
    if (!found.ok) return found;
    const index = await resolveExpression(this.ports.events, found.value, asked);
    const { id, name, snapshot: count } = found.value;
    const snappish = { environment, expression: asked };
    if (index < 1 || index > count) return no(snapshotUnknown(caller, snappish, index, count));
    const make = async (): Promise<Result<SnapshotAnswer, Refusal>> => {
      const site = siteOf(this.settings, caller);
      const snapshot = await getSnapshot(this.ports, site, found.value, index, selection);
      if (snapshot === 'dropped') return no(snapshotDropped(snappish, index));
      return snapshot === null ? no(snapshotUnknown(caller, snappish, index, count)) : ok(snapshot);
    };
    // All that the answer depends on: a snapshot never changes, but that another one follows it.
    const key = JSON.stringify([id, name, caller.org.name, index, index < count, selection]);
    return ok({ key, make });
  }
}
