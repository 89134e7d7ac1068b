import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetNotifications, GetTargetConfigs, ListDeliveries } from './notifications';

@Controller()
export class NotificationQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listNotifications)
  async list(@TheCall() call: CallOf<typeof routes.listNotifications>) {
    return answer(200, unwrap(await this.queries.execute(new GetNotifications(callerOf(call), null))));
  }

  @Route(routes.getNotification)
  async get(@TheCall() call: CallOf<typeof routes.getNotification>) {
    const { notification_number } = call.params;
    const [found] = unwrap(await this.queries.execute(new GetNotifications(callerOf(call), notification_number)));
    return answer(200, found);
  }

  @Route(routes.listDeliveries)
  async deliveries(@TheCall() call: CallOf<typeof routes.listDeliveries>) {
    const { per_page, before = null } = call.query;
    const query = new ListDeliveries(callerOf(call), call.params.notification_number, { before, limit: per_page });
    return answer(200, unwrap(await this.queries.execute(query)));
  }

  @Route(routes.listTargetConfigs)
  async configs(@TheCall() call: CallOf<typeof routes.listTargetConfigs>) {
    return answer(200, unwrap(await this.queries.execute(new GetTargetConfigs(callerOf(call), null))));
  }

  @Route(routes.getTargetConfig)
  async config(@TheCall() call: CallOf<typeof routes.getTargetConfig>) {
    const [found] = unwrap(await this.queries.execute(new GetTargetConfigs(callerOf(call), call.params.config)));
    return answer(200, found);
  }
}
