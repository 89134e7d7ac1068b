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
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Asker } from '../asker';
import { Lookups } from '../lookups';
import { type Seen, Views } from '../view';

/** One flow. */
export class GetFlow extends Query<Result<Seen<FlowAnswer>, Refusal>> {
  constructor(
    readonly asker: Asker,
    readonly name: string,
  ) {
    super();
  }
}

@QueryHandler(GetFlow)
export class GetFlowHandler implements IQueryHandler<GetFlow> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly lookups: Lookups,
    private readonly views: Views,
  ) {}

  async execute({ asker, name }: GetFlow): Promise<Result<Seen<FlowAnswer>, Refusal>> {
    const found = await this.lookups.flow(asker.org, name);
    if (!found.ok) return found;
    const kept = await this.ports.documents.collection(flowTemplates).get(found.value.templateId);
    if (kept === null) throw new Error(`the template ${found.value.templateId} of a flow is gone`);
    const last = await this.views.read(deploymentsView, asker, (documents) =>
      lastDeploymentOf(documents, found.value.id),
    );
    const { value: repoUrl, behind } = await this.views.read(flowActivityView, asker, (documents) =>
      repoUrlOf(documents, found.value.id),
    );
    const shownIn = await this.lookups.shownIn(asker.org);
    const { name: org } = asker.org;
    const value = flowAnswer(org, found.value, kept.template, shownIn(found.value.space), last.value, repoUrl);
    return ok({ value, behind: Math.max(behind, last.behind) });
  }
}
