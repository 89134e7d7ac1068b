import type { Comparison } from '@assurance/contracts/environments/answers/comparison';
import type { EnvironmentDiffAnswer } from '@assurance/contracts/environments/answers/environment-diff';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { lastFlowChange } from '@assurance/flows/lookups/flow-names';
import type { Refusal, SharedAnswer } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { siteOf } from '@assurance/http/query-caller';
import { ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { environmentDiff } from './environment-diff/answer';
import { comparisonOf, type ComparisonRequest } from './environment-diff/comparison';
import { locateSides, readSides, sidesKey } from './environment-diff/sides';

/** Two snapshots compared: whole lists, or a page of each. Those who ask for the same comparison at the same time share it. */
export class DiffEnvironments extends queryBy<
  { snappish1: string; snappish2: string; page: PageRequest | null },
  Result<SharedAnswer<Result<EnvironmentDiffAnswer, Refusal>>, Refusal>
>() {}

@QueryHandler(DiffEnvironments)
export class DiffEnvironmentsHandler extends ReadingHandler implements IQueryHandler<DiffEnvironments> {
  async execute({ caller, snappish1, snappish2, page }: DiffEnvironments) {
    const now = this.clock.now();
    const located = await locateSides(this.ports, caller, now, ['snappish1', snappish1], ['snappish2', snappish2]);
    if (!located.ok) return located;
    const make = async (): Promise<Result<EnvironmentDiffAnswer, Refusal>> => {
      const read = await readSides(this.ports, located.value);
      return read.ok ? ok(await environmentDiff(...read.value.sides, read.value.flowNameOf, page)) : read;
    };
    const flowNamesRevision = await lastFlowChange(this.ports.documents, caller.org.id);
    return ok({ key: JSON.stringify([...sidesKey(located.value), flowNamesRevision, page]), make });
  }
}

/** All that runs in two snapshots, paired: one page. Those who ask for the same page at the same time share it. */
export class CompareEnvironments extends queryBy<
  { from: string; to: string; request: ComparisonRequest },
  Result<SharedAnswer<Result<Comparison, Refusal>>, Refusal>
>() {}

@QueryHandler(CompareEnvironments)
export class CompareEnvironmentsHandler extends ReadingHandler implements IQueryHandler<CompareEnvironments> {
  async execute({ caller, from, to, request }: CompareEnvironments) {
    const located = await locateSides(this.ports, caller, this.clock.now(), ['from', from], ['to', to]);
    if (!located.ok) return located;
    const site = siteOf(this.settings, caller);
    const make = async (): Promise<Result<Comparison, Refusal>> => {
      const read = await readSides(this.ports, located.value);
      return read.ok ? ok(await comparisonOf(site, read.value.sides, read.value.flowNameOf, request)) : read;
    };
    const flowNamesRevision = await lastFlowChange(this.ports.documents, caller.org.id);
    return ok({
      key: JSON.stringify(['pairs', site.org, ...sidesKey(located.value), flowNamesRevision, request]),
      make,
    });
  }
}
