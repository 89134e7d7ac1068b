import { shownSpaceOf } from '@assurance/access/lookups/spaces';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { lastFlowChange } from '@assurance/flows/lookups/flow-names';
import type { Refusal, SharedAnswer } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { type Caller, siteOf } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import { policyNames } from '@assurance/policies/lookups/policies';
import type { Documents } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { environmentActivity } from '../domain/reports';
import { environmentsById, findEnvironment } from '../lookups/environments';
import { environmentAnswer } from './environments/answer';
import { readRange, resolveRange, droppedSnapshotRefusal, unknownSnapshot, unreadableExpression } from './snapshots';
import type { ArtifactSelection } from './snapshots/answer';
import { EXPRESSION_FORMS, readExpression } from './snapshots/expression';
import type { SnapshotRange } from './snapshots/interval';
import { getSnapshot, listSnapshots } from './snapshots/read';
import { resolveExpression } from './snapshots/resolve';

/** One environment. */
export class GetEnvironment extends queryBy<{ name: string }, Result<EnvironmentAnswer, Refusal>>() {}

@QueryHandler(GetEnvironment)
export class GetEnvironmentHandler extends ReadingHandler implements IQueryHandler<GetEnvironment> {
  async execute({ caller: { org }, name }: GetEnvironment): Promise<Result<EnvironmentAnswer, Refusal>> {
    const result = await findEnvironment(this.ports, org, name);
    if (!result.ok) return result;
    const answerOf = await environmentAnswers(
      this.ports.documents,
      org,
      [result.value],
      await shownSpaceOf(this.ports.documents, org),
    );
    return ok(answerOf(result.value));
  }
}

/**
 * How some environments are shown.
 *
 * @param shownIn the id of the space in which something is shown, by that of the space that it was put into
 */
export async function environmentAnswers(
  documents: Documents,
  org: Caller['org'],
  environments: readonly Environment[],
  shownIn: (space?: string) => string,
): Promise<(environment: Environment) => EnvironmentAnswer> {
  const activity = await documents.collection(environmentActivity).getMany(environments.map(({ id }) => id));
  const states = await environmentsById(
    documents,
    environments.flatMap((environment) => environment.includedEnvironments ?? []),
  );
  const policies = await policyNames(
    documents,
    environments.flatMap((environment) => environment.policies),
  );
  return (environment) => {
    const members = environment.includedEnvironments?.flatMap((id) => states.get(id)?.name ?? []) ?? null;
    const reportActivity = activity.get(environment.id) ?? null;
    return environmentAnswer(org.name, environment, reportActivity, members, shownIn(environment.space), policies);
  };
}

/** One page of an environment's snapshots. */
export class ListSnapshots extends queryBy<
  { environment: string; page: PageRequest; interval: string | undefined; oldestFirst: boolean },
  Result<{ items: SnapshotListItem[]; range: SnapshotRange; ends: PageEnds }, Refusal>
>() {}

@QueryHandler(ListSnapshots)
export class ListSnapshotsHandler extends ReadingHandler implements IQueryHandler<ListSnapshots> {
  async execute({ caller, environment, page, interval, oldestFirst }: ListSnapshots) {
    const now = this.clock.now();
    const result = readRange({ interval }, now);
    if (!result.ok) return result;
    const lookup = await findEnvironment(this.ports, caller.org, environment);
    if (!lookup.ok) return lookup;
    const range = await resolveRange(this.ports.events, lookup.value, result.value, 'in-force');
    const { items, ...ends } = await listSnapshots(this.ports.events, lookup.value, range, page, oldestFirst, now);
    return ok({ items, range, ends });
  }
}

/** One snapshot, by an expression. Those who ask for the same one at the same time share it. */
export class GetSnapshot extends queryBy<
  { environment: string; expression: string; selection: ArtifactSelection },
  Result<SharedAnswer<Result<SnapshotAnswer, Refusal>>, Refusal>
>() {}

@QueryHandler(GetSnapshot)
export class GetSnapshotHandler extends ReadingHandler implements IQueryHandler<GetSnapshot> {
  async execute({ caller, environment, expression, selection }: GetSnapshot) {
    const snapshotExpression = readExpression(expression, this.clock.now());
    if (snapshotExpression === null) return err(unreadableExpression('expr', EXPRESSION_FORMS, expression));
    const result = await findEnvironment(this.ports, caller.org, environment);
    if (!result.ok) return result;
    const index = await resolveExpression(this.ports.events, result.value, snapshotExpression);
    const { id, name, snapshot: count, lastModifiedAt } = result.value;
    const snappish = { environment, expression: snapshotExpression };
    if (index < 1 || index > count) return err(unknownSnapshot(caller, snappish, index, count));
    const make = async (): Promise<Result<SnapshotAnswer, Refusal>> => {
      const site = siteOf(this.settings, caller);
      const snapshot = await getSnapshot(this.ports, site, result.value, index, selection);
      if (snapshot === 'dropped') return err(droppedSnapshotRefusal(snappish, index));
      return snapshot === null ? err(unknownSnapshot(caller, snappish, index, count)) : ok(snapshot);
    };
    // All that the answer depends on: a snapshot never changes, but that another one follows it, and flows get other names. The newest one shows
    // its allow-list as it is now.
    const last = index < count ? null : lastModifiedAt;
    const flowNamesRevision = await lastFlowChange(this.ports.documents, caller.org.id);
    const key = JSON.stringify([id, name, caller.org.name, index, last, flowNamesRevision, selection]);
    return ok({ key, make });
  }
}
