import type { AllowlistPage, PolicyAnswer } from '@assurance/contracts-http';
import { PORTS, type Ports, queryOf, type Refusal } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import { listAllowed, listPolicies, type PageRequest, policyAnswer } from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../caller';
import { queryBy } from '../queries';
import { Lookups } from '../views/lookups';

/** How many policies are read at once. */
const TOGETHER = 16;

/** All policies of an organization (specification 4.7). */
export class ListPolicies extends queryOf<{ caller: Caller }, PolicyAnswer[]>() {}

@QueryHandler(ListPolicies)
export class ListPoliciesHandler implements IQueryHandler<ListPolicies> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller: { org } }: ListPolicies): Promise<PolicyAnswer[]> {
    const { documents } = this.ports;
    const nameOf = this.lookups.actors();
    const all = await listPolicies(documents, org.id);
    const shown: PolicyAnswer[] = [];
    for (let i = 0; i < all.length; i += TOGETHER) {
      const some = all.slice(i, i + TOGETHER).map((one) => policyAnswer(documents, one, nameOf));
      shown.push(...(await Promise.all(some)));
    }
    return shown;
  }
}

/** One policy. */
export class GetPolicy extends queryBy<{ name: string }, Result<PolicyAnswer, Refusal>>() {}

@QueryHandler(GetPolicy)
export class GetPolicyHandler implements IQueryHandler<GetPolicy> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller: { org }, name }: GetPolicy): Promise<Result<PolicyAnswer, Refusal>> {
    const found = await this.lookups.policy(org, name);
    if (!found.ok) return found;
    return ok(await policyAnswer(this.ports.documents, found.value, this.lookups.actors()));
  }
}

/** One page of the artifacts that are allowed in an environment. */
export class ListAllowed extends queryBy<
  { environment: string; page: PageRequest },
  Result<AllowlistPage, Refusal>
>() {}

@QueryHandler(ListAllowed)
export class ListAllowedHandler implements IQueryHandler<ListAllowed> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
  ) {}

  async execute({ caller: { org }, environment, page }: ListAllowed): Promise<Result<AllowlistPage, Refusal>> {
    const found = await this.lookups.environment(org, environment);
    if (!found.ok) return found;
    return ok(await listAllowed(this.ports.documents, found.value.id, page, this.lookups.actors()));
  }
}
