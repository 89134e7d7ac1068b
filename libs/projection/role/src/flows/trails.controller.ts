import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetTrail, ListTrails } from './trails';
import { behindHeader } from '../views/view';

@Controller()
export class TrailQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listTrails)
  async list(@TheCall() call: CallOf<typeof routes.listTrails>) {
    const { page, per_page, flow, fingerprint, flow_tag, compliance_status } = call.query;
    const wanted = { flow, fingerprint, flowTag: flow_tag, withStatus: compliance_status };
    const query = new ListTrails(callerOf(call), wanted, { page, perPage: per_page });
    const seen = unwrap(await this.queries.execute(query));
    return answer(200, seen.value, behindHeader(seen));
  }

  @Route(routes.listFlowTrails)
  async ofFlow(@TheCall() call: CallOf<typeof routes.listFlowTrails>) {
    const { page, per_page, compliance_status } = call.query;
    const wanted = { flow: call.params.flow, withStatus: compliance_status };
    const query = new ListTrails(callerOf(call), wanted, { page, perPage: per_page });
    const seen = unwrap(await this.queries.execute(query));
    return answer(200, seen.value.data, behindHeader(seen));
  }

  @Route(routes.getTrail)
  async get(@TheCall() call: CallOf<typeof routes.getTrail>) {
    const { flow, trail } = call.params;
    return answer(200, unwrap(await this.queries.execute(new GetTrail(callerOf(call), flow, trail))));
  }
}
