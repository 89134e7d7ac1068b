import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, RequestCall, Route } from '@assurance/http';
import { QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { checkNotificationType } from '../lookups/notification-type';
import { GetKeyExpiry } from './key-expiry';
import { GetActions, GetNotifications, GetTargetConfigs, ListDeliveries } from './notifications';

@Controller()
export class NotificationQueriesController extends QueriesController {
  @Route(routes.listNotifications)
  async list(@RequestCall() call: CallOf<typeof routes.listNotifications>) {
    return this.answerQuery(new GetNotifications({ caller: callerOf(call), number: null }));
  }

  @Route(routes.getNotification)
  async get(@RequestCall() call: CallOf<typeof routes.getNotification>) {
    const { notification_number } = call.params;
    const [result] = await this.runQuery(new GetNotifications({ caller: callerOf(call), number: notification_number }));
    return answer(200, result);
  }

  @Route(routes.listActions)
  async actions(@RequestCall() call: CallOf<typeof routes.listActions>) {
    return this.answerQuery(new GetActions({ caller: callerOf(call), number: null }));
  }

  @Route(routes.getAction)
  async action(@RequestCall() call: CallOf<typeof routes.getAction>) {
    const { notification_number: number } = call.params;
    const [result] = await this.runQuery(new GetActions({ caller: callerOf(call), number }));
    return answer(200, result);
  }

  @Route(routes.getNotificationConfig)
  async keyExpiry(@RequestCall() call: CallOf<typeof routes.getNotificationConfig>) {
    checkNotificationType(call.params.notification_type);
    return this.answerQuery(new GetKeyExpiry({ caller: callerOf(call) }));
  }

  @Route(routes.listDeliveries)
  async deliveries(@RequestCall() call: CallOf<typeof routes.listDeliveries>) {
    const { per_page, before = null } = call.query;
    return this.answerQuery(
      new ListDeliveries({
        caller: callerOf(call),
        number: call.params.notification_number,
        page: { before, limit: per_page },
      }),
    );
  }

  @Route(routes.listTargetConfigs)
  async configs(@RequestCall() call: CallOf<typeof routes.listTargetConfigs>) {
    return this.answerQuery(new GetTargetConfigs({ caller: callerOf(call), name: null }));
  }

  @Route(routes.getTargetConfig)
  async config(@RequestCall() call: CallOf<typeof routes.getTargetConfig>) {
    const [result] = await this.runQuery(new GetTargetConfigs({ caller: callerOf(call), name: call.params.config }));
    return answer(200, result);
  }
}
