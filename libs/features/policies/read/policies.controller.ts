import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { millisecondsBetween, pageRequestOf, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import {
  GetControl,
  GetControlCoverage,
  GetControlDecision,
  GetControlVersion,
  ListControlDecisions,
  ListControls,
  ListControlTags,
  ListControlVersions,
} from './controls';
import { GetPolicy, ListPolicies } from './policies';

/** Policies and controls. */
@Controller()
export class PolicyQueriesController extends QueriesController {
  @Route(routes.listPolicies)
  async policies(@RequestCall() call: CallOf<typeof routes.listPolicies>) {
    return this.answerList(new ListPolicies({ caller: callerOf(call) }));
  }

  @Route(routes.getPolicy)
  async policy(@RequestCall() call: CallOf<typeof routes.getPolicy>) {
    return this.answerQuery(new GetPolicy({ caller: callerOf(call), name: call.params.policy }));
  }

  @Route(routes.getEvaluation)
  evaluation(): never {
    throw new RefusalError({ kind: 'evaluation-disabled' });
  }

  @Route(routes.listControls)
  async controls(@RequestCall() call: CallOf<typeof routes.listControls>) {
    const { search, tag, archived, sort_direction } = call.query;
    const filter = { search, tags: tag, archived };
    const page = pageRequestOf(call.query);
    const query = new ListControls({ caller: callerOf(call), filter, page, direction: sort_direction });
    return this.answerListPage(routes.listControls, call, query);
  }

  @Route(routes.getControl)
  async control(@RequestCall() call: CallOf<typeof routes.getControl>) {
    return this.answerQuery(new GetControl({ caller: callerOf(call), identifier: call.params.control }));
  }

  @Route(routes.listControlTags)
  async controlTags(@RequestCall() call: CallOf<typeof routes.listControlTags>) {
    return this.answerList(new ListControlTags({ caller: callerOf(call) }));
  }

  @Route(routes.listControlVersions)
  async controlVersions(@RequestCall() call: CallOf<typeof routes.listControlVersions>) {
    const { sort_direction: direction } = call.query;
    const page = pageRequestOf(call.query);
    return this.answerQuery(
      new ListControlVersions({ caller: callerOf(call), identifier: call.params.control, page, direction }),
    );
  }

  @Route(routes.getControlVersion)
  async controlVersion(@RequestCall() call: CallOf<typeof routes.getControlVersion>) {
    const { control: identifier, version: number } = call.params;
    return this.answerQuery(new GetControlVersion({ caller: callerOf(call), identifier, number }));
  }

  @Route(routes.listControlDecisions)
  async decisions(@RequestCall() call: CallOf<typeof routes.listControlDecisions>) {
    const { is_compliant: compliant, from_timestamp, to_timestamp, flow_id: flows, sort_direction } = call.query;
    const times = millisecondsBetween(from_timestamp, to_timestamp, 'from_timestamp');
    const filter = { compliant, ...times, flows };
    const query = new ListControlDecisions({
      caller: callerOf(call),
      identifier: call.params.control,
      filter,
      page: pageRequestOf(call.query),
      direction: sort_direction,
    });
    const { body, ends } = await this.runQuery(query);
    return answer(200, body, this.linkHeader(routes.listControlDecisions, call, ends));
  }

  @Route(routes.getControlDecision)
  async decision(@RequestCall() call: CallOf<typeof routes.getControlDecision>) {
    const { control: identifier, decision: id } = call.params;
    return this.answerQuery(new GetControlDecision({ caller: callerOf(call), identifier, id }));
  }

  @Route(routes.getControlCoverage)
  async coverage(@RequestCall() call: CallOf<typeof routes.getControlCoverage>) {
    const { covered, search, name } = call.query;
    return this.answerQuery(
      new GetControlCoverage({
        caller: callerOf(call),
        identifier: call.params.control,
        filter: { covered, name: search ?? name },
        page: pageRequestOf(call.query),
      }),
    );
  }
}
