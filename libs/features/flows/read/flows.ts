import { shownSpaceOf } from '@assurance/access/lookups/spaces';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { ViewAnswer } from '@assurance/event-sourcing/projection/views';
import type { Refusal } from '@assurance/http';
import { queryBy, ViewHandler } from '@assurance/http/queries';
import { ok, type Result } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { flowTemplates } from '../domain/flow';
import { findFlow } from '../lookups/flows';
import { flowActivityView } from './flows/activity';
import { flowAnswer } from './flows/answer';
import { repoUrlOf } from './flows/repo-url';
import { LAST_DEPLOYMENT, type LastDeployment } from './last-deployment';

/** Gets one flow. */
export class GetFlow extends queryBy<{ name: string }, Result<ViewAnswer<FlowAnswer>, Refusal>>() {}

@QueryHandler(GetFlow)
export class GetFlowHandler extends ViewHandler implements IQueryHandler<GetFlow> {
  constructor(@Inject(LAST_DEPLOYMENT) private readonly lastDeployment: LastDeployment) {
    super();
  }

  async execute({ caller, name }: GetFlow): Promise<Result<ViewAnswer<FlowAnswer>, Refusal>> {
    const result = await findFlow(this.ports, caller.org, name);
    if (!result.ok) return result;
    const storedTemplate = await this.ports.documents.collection(flowTemplates).get(result.value.templateId);
    if (storedTemplate === null) throw new Error(`the template ${result.value.templateId} of a flow is gone`);
    const last = await this.lastDeployment.of(caller, result.value.id);
    const { value: repoUrl, behind } = await this.views.read(flowActivityView, caller, (documents) =>
      repoUrlOf(documents, result.value.id),
    );
    const shownIn = await shownSpaceOf(this.ports.documents, caller.org);
    const { name: org } = caller.org;
    const value = flowAnswer(
      org,
      result.value,
      storedTemplate.template,
      shownIn(result.value.space),
      last.value,
      repoUrl,
    );
    return ok({ value, behind: Math.max(behind, last.behind) });
  }
}
