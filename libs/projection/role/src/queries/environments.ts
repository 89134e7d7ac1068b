import type { EnvironmentAnswer, SnapshotAnswer, SnapshotListItem } from '@assurance/contracts-http';
import { CLOCK, type Clock, PORTS, type Ports, type Refusal, SETTINGS, type Settings } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import { environmentActivity } from '@assurance/model-environment';
import {
  environmentAnswer,
  getSnapshot,
  listSnapshots,
  type PageRequest,
  readExpression,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Asker, siteOf } from '../asker';
import { Lookups } from '../lookups';

/** One environment (WIRE 3.3). */
export class GetEnvironment extends Query<Result<EnvironmentAnswer, Refusal>> {
  constructor(
    readonly asker: Asker,
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetEnvironment)
export class GetEnvironmentHandler implements IQueryHandler<GetEnvironment> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
  ) {}

  async execute({ asker: { org }, name }: GetEnvironment): Promise<Result<EnvironmentAnswer, Refusal>> {
    const found = await this.lookups.environment(org, name);
    if (!found.ok) return found;
    const { id, includedEnvironments } = found.value;
    const activity = await this.ports.documents.collection(environmentActivity).get(id);
    const heads = await this.lookups.environments(includedEnvironments ?? []);
    const members = includedEnvironments?.flatMap((member) => heads.get(member)?.name ?? []) ?? null;
    return ok(environmentAnswer(org.name, found.value, activity, members));
  }
}

/** One page of an environment's snapshots (WIRE 5.2). */
export class ListSnapshots extends Query<Result<SnapshotListItem[], Refusal>> {
  constructor(
    readonly asker: Asker,
    readonly environment: string,
    readonly page: PageRequest,
    readonly oldestFirst: boolean,
  ) {
    super();
  }
}

@QueryHandler(ListSnapshots)
export class ListSnapshotsHandler implements IQueryHandler<ListSnapshots> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly lookups: Lookups,
  ) {}

  async execute({
    asker,
    environment,
    page,
    oldestFirst,
  }: ListSnapshots): Promise<Result<SnapshotListItem[], Refusal>> {
    const found = await this.lookups.environment(asker.org, environment);
    if (!found.ok) return found;
    return ok(await listSnapshots(this.ports.events, found.value, page, oldestFirst, this.clock.now()));
  }
}

/** One snapshot, by an expression (WIRE 5.3). */
export class GetSnapshot extends Query<Result<SnapshotAnswer, Refusal>> {
  constructor(
    readonly asker: Asker,
    readonly environment: string,
    readonly expression: string,
  ) {
    super();
  }
}

@QueryHandler(GetSnapshot)
export class GetSnapshotHandler implements IQueryHandler<GetSnapshot> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly lookups: Lookups,
  ) {}

  async execute({ asker, environment, expression }: GetSnapshot): Promise<Result<SnapshotAnswer, Refusal>> {
    const asked = readExpression(expression);
    if (asked === null) {
      const forms = "'-1', '@{now}', 'N' or '#N'";
      return no({ kind: 'invalid', errors: { expr: `Input should be ${forms} [input: ${expression.slice(0, 100)}]` } });
    }
    const found = await this.lookups.environment(asker.org, environment);
    if (!found.ok) return found;
    const count = found.value.snapshot;
    const index = asked.kind === 'latest' ? count : asked.index;
    const snapshot =
      index < 1 || index > count
        ? null
        : await getSnapshot(this.ports.events, siteOf(this.settings, asker), found.value, index);
    if (snapshot !== null) return ok(snapshot);
    const refusal = {
      org: asker.org.name,
      asked: `${environment}${asked.text}`,
      resolved: `${environment}#${index}`,
      count,
    };
    return no({ kind: 'snapshot-unknown', ...refusal });
  }
}
