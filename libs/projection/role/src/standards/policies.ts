import type { AllowlistPage, PolicyAnswer } from '@assurance/contracts-http';
import { queryOf, type Refusal } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import { listAllowed, listPolicies, type PageEnds, type PageRequest, policyAnswer } from '@assurance/projection-views';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../caller';
import { queryBy, ReadingHandler } from '../queries';

/** How many policies are read at once. */
const TOGETHER = 16;

/** All policies of an organization (specification 4.7). */
export class ListPolicies extends queryOf<{ caller: Caller }, PolicyAnswer[]>() {}

@QueryHandler(ListPolicies)
export class ListPoliciesHandler extends ReadingHandler implements IQueryHandler<ListPolicies> {
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
export class GetPolicyHandler extends ReadingHandler implements IQueryHandler<GetPolicy> {
  async execute({ caller: { org }, name }: GetPolicy): Promise<Result<PolicyAnswer, Refusal>> {
    const found = await this.lookups.policy(org, name);
    if (!found.ok) return found;
    return ok(await policyAnswer(this.ports.documents, found.value, this.lookups.actors()));
  }
}

/** One page of the artifacts that are allowed in an environment. */
export class ListAllowed extends queryBy<
  { environment: string; page: PageRequest },
  Result<{ page: AllowlistPage; ends: PageEnds }, Refusal>
>() {}

@QueryHandler(ListAllowed)
export class ListAllowedHandler extends ReadingHandler implements IQueryHandler<ListAllowed> {
  async execute({
    caller: { org },
    environment,
    page,
  }: ListAllowed): Promise<Result<{ page: AllowlistPage; ends: PageEnds }, Refusal>> {
    const found = await this.lookups.environment(org, environment);
    if (!found.ok) return found;
    return ok(await listAllowed(this.ports.documents, found.value.id, page, this.lookups.actors()));
  }
}
