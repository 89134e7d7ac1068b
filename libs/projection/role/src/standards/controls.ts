import type { ControlAnswer, ControlCoverageAnswer, ControlPage } from '@assurance/contracts-http';
import type { Refusal } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import { type Control } from '@assurance/model';
import {
  controlAnswer,
  controlCoverage,
  type ControlFilter,
  type CoverageFilter,
  listControls,
  type PageRequest,
  policiesByControl,
  pageFields,
} from '@assurance/projection-views';
import type { NameOf } from '@assurance/readers';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Listed, queryBy, ReadingHandler } from '../queries';

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
    const nameOf = this.lookups.actors();
    const answers = await Promise.all(controls.map((one) => shown(nameOf, one, policies)));
    return { body: { ...pageFields(page, count), controls: answers }, ends };
  }
}

/** One control. */
export class GetControl extends queryBy<{ identifier: string }, Result<ControlAnswer, Refusal>>() {}

@QueryHandler(GetControl)
export class GetControlHandler extends ReadingHandler implements IQueryHandler<GetControl> {
  async execute({ caller: { org }, identifier }: GetControl): Promise<Result<ControlAnswer, Refusal>> {
    const found = await this.lookups.control(org, identifier);
    if (!found.ok) return found;
    const policies = await policiesByControl(this.ports.documents, org.id);
    return ok(await shown(this.lookups.actors(), found.value, policies));
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
    const found = await this.lookups.control(org, identifier);
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
