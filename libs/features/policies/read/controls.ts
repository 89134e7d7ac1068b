import { actorsOf, type NameOf } from '@assurance/access/lookups/actors';
import type { ControlAnswer, ControlCoverageAnswer, ControlPage } from '@assurance/contracts/policies/answers/control';
import type { Control } from '@assurance/contracts/policies/documents';
import { pageFields, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Refusal } from '@assurance/http';
import { type Listed, queryBy, ReadingHandler } from '@assurance/http/queries';
import { ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findControl } from '../lookups/policies';
import { controlCoverage, type CoverageFilter, policiesByControl } from './controls/coverage';
import { controlAnswer, type ControlFilter, listControls } from './controls/list';

/** One page of controls. */
export class ListControls extends queryBy<
  { filter: Omit<ControlFilter, 'org'>; page: PageRequest; direction: 'asc' | 'desc' },
  Listed<ControlPage>
>() {}

@QueryHandler(ListControls)
export class ListControlsHandler extends ReadingHandler implements IQueryHandler<ListControls> {
  async execute({ caller: { org }, filter, page, direction }: ListControls): Promise<Listed<ControlPage>> {
    const { controls, count, ...ends } = await listControls(
      this.ports.documents,
      { ...filter, org: org.id },
      page,
      direction,
    );
    const policies = await policiesByControl(this.ports.documents, org.id);
    const nameOf = actorsOf(this.ports.documents);
    const answers = await Promise.all(controls.map((one) => shown(nameOf, one, policies)));
    return { body: { ...pageFields(page, count), controls: answers }, ends };
  }
}

/** One control. */
export class GetControl extends queryBy<{ identifier: string }, Result<ControlAnswer, Refusal>>() {}

@QueryHandler(GetControl)
export class GetControlHandler extends ReadingHandler implements IQueryHandler<GetControl> {
  async execute({ caller: { org }, identifier }: GetControl): Promise<Result<ControlAnswer, Refusal>> {
    const found = await findControl(this.ports, org, identifier);
    if (!found.ok) return found;
    const policies = await policiesByControl(this.ports.documents, org.id);
    return ok(await shown(actorsOf(this.ports.documents), found.value, policies));
  }
}

/** In which environments a control is asked for. */
export class GetControlCoverage extends queryBy<
  { identifier: string; filter: Omit<CoverageFilter, 'org'>; page: PageRequest },
  Result<ControlCoverageAnswer, Refusal>
>() {}

@QueryHandler(GetControlCoverage)
export class GetControlCoverageHandler extends ReadingHandler implements IQueryHandler<GetControlCoverage> {
  async execute({ caller: { org }, identifier, filter, page }: GetControlCoverage) {
    const found = await findControl(this.ports, org, identifier);
    if (!found.ok) return found;
    const policies = (await policiesByControl(this.ports.documents, org.id)).get(identifier) ?? [];
    return ok(await controlCoverage(this.ports.documents, { ...filter, org: org.id }, policies, page));
  }
}

async function shown(
  nameOf: NameOf,
  one: Control,
  policies: Awaited<ReturnType<typeof policiesByControl>>,
): Promise<ControlAnswer> {
  const names = (policies.get(one.identifier) ?? []).map(({ name }) => name);
  return controlAnswer(one, await nameOf(one.createdBy), names);
}
