import { actorsOf } from '@assurance/access/lookups/actors';
import type { PolicyAnswer } from '@assurance/contracts/policies/answers/policy';
import { queryOf } from '@assurance/event-sourcing/message';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { ok, type Result } from '@assurance/kernel';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { findPolicy } from '../lookups/policies';
import { listPolicies, policyAnswer } from './policies/answer';

/** How many policies are read at once. */
const TOGETHER = 16;

/** All policies of an organization (specification 4.7). */
export class ListPolicies extends queryOf<{ caller: Caller }, PolicyAnswer[]>() {}

@QueryHandler(ListPolicies)
export class ListPoliciesHandler extends ReadingHandler implements IQueryHandler<ListPolicies> {
  async execute({ caller: { org } }: ListPolicies): Promise<PolicyAnswer[]> {
    const { documents } = this.ports;
    const nameOf = actorsOf(this.ports.documents);
    const all = await listPolicies(documents, org.id);
    const answers: PolicyAnswer[] = [];
    for (let i = 0; i < all.length; i += TOGETHER) {
      const group = all.slice(i, i + TOGETHER).map((policy) => policyAnswer(documents, policy, nameOf));
      answers.push(...(await Promise.all(group)));
    }
    return answers;
  }
}

/** One policy. */
export class GetPolicy extends queryBy<{ name: string }, Result<PolicyAnswer, Refusal>>() {}

@QueryHandler(GetPolicy)
export class GetPolicyHandler extends ReadingHandler implements IQueryHandler<GetPolicy> {
  async execute({ caller: { org }, name }: GetPolicy): Promise<Result<PolicyAnswer, Refusal>> {
    const result = await findPolicy(this.ports, org, name);
    if (!result.ok) return result;
    return ok(await policyAnswer(this.ports.documents, result.value, actorsOf(this.ports.documents)));
  }
}
