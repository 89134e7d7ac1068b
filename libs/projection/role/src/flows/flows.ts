import type { FlowAnswer } from '@assurance/contracts-http';
import { PORTS, type Ports, type Refusal } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import { flowTemplates } from '@assurance/model';
import {
  deploymentsView,
  flowActivityView,
  flowAnswer,
  lastDeploymentOf,
  repoUrlOf,
} from '@assurance/projection-views';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { queryBy } from '../queries';
import { Lookups } from '../views/lookups';
import { type Seen, Views } from '../views/view';

/** One flow. */
export class GetFlow extends queryBy<{ name: string }, Result<Seen<FlowAnswer>, Refusal>>() {}

@QueryHandler(GetFlow)
export class GetFlowHandler implements IQueryHandler<GetFlow> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
    private readonly views: Views,
  ) {}

  async execute({ caller, name }: GetFlow): Promise<Result<Seen<FlowAnswer>, Refusal>> {
    const found = await this.lookups.flow(caller.org, name);
    if (!found.ok) return found;
    const stored = await this.ports.documents.collection(flowTemplates).get(found.value.templateId);
    if (stored === null) throw new Error(`the template ${found.value.templateId} of a flow is gone`);
    const last = await this.views.read(deploymentsView, caller, (documents) =>
      lastDeploymentOf(documents, found.value.id),
    );
    const { value: repoUrl, behind } = await this.views.read(flowActivityView, caller, (documents) =>
      repoUrlOf(documents, found.value.id),
    );
    const shownIn = await this.lookups.shownIn(caller.org);
    const { name: org } = caller.org;
    const value = flowAnswer(org, found.value, stored.template, shownIn(found.value.space), last.value, repoUrl);
    return ok({ value, behind: Math.max(behind, last.behind) });
  }
}
