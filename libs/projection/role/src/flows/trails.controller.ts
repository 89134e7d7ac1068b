import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { pageAsked, QueriesController } from '../queries';
import { GetTrail, ListTrails } from './trails';
import { behindHeader } from '../views/view';

@Controller()
export class TrailQueriesController extends QueriesController {
  @Route(routes.listTrails)
  async list(@TheCall() call: CallOf<typeof routes.listTrails>) {
    const { flow, fingerprint, flow_tag, compliance_status } = call.query;
    const wanted = { flow, fingerprint, flowTag: flow_tag, withStatus: compliance_status };
    return this.seen(new ListTrails({ caller: callerOf(call), wanted, page: pageAsked(call.query) }));
  }

  @Route(routes.listFlowTrails)
  async ofFlow(@TheCall() call: CallOf<typeof routes.listFlowTrails>) {
    const { compliance_status } = call.query;
    const wanted = { flow: call.params.flow, withStatus: compliance_status };
    const seen = await this.ask(new ListTrails({ caller: callerOf(call), wanted, page: pageAsked(call.query) }));
    return answer(200, seen.value.data, behindHeader(seen));
  }

  @Route(routes.getTrail)
  async get(@TheCall() call: CallOf<typeof routes.getTrail>) {
    const { flow, trail } = call.params;
    return this.found(new GetTrail({ caller: callerOf(call), flow, trail }));
  }
}
