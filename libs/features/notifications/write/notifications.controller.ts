import { routes } from '@assurance/contracts/http/routes/routes';
import type { SigningSecretInput } from '@assurance/contracts/notifications/bodies/notification';
import type { NotificationType } from '@assurance/contracts/notifications/events';
import { answer, type Call, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { GRACE_MAX_S, GRACE_S } from '../domain/issue-signing-secret';
import { checkNotificationType } from '../lookups/notification-type';
import { ChangeKeyExpiry } from './change-key-expiry';
import { ChangeNotification } from './change-notification';
import { ChangeTargetConfig } from './configs';
import { IssueSecret, type TargetOwner } from './issue-secret';
import { PutNotification } from './put-notification';

/** Notifications and the target configurations that they share. */
@Controller()
export class NotificationsController extends CommandsController {
  @Route(routes.putNotification)
  async put(@RequestCall() call: CallOf<typeof routes.putNotification>) {
    return this.putByName(call);
  }

  @Route(routes.putEnvironmentAction)
  async putAction(@RequestCall() call: CallOf<typeof routes.putEnvironmentAction>) {
    return this.putByName(call);
  }

  @Route(routes.putFlowAction)
  async putFlowAction(@RequestCall() call: CallOf<typeof routes.putFlowAction>) {
    const { triggers, ...rest } = call.body;
    const input = { ...rest, type: 'flow', triggers: [...new Set(triggers)] } as const;
    return this.answerMade(new PutNotification({ caller: callerOf(call), where: { kind: 'name', input } }));
  }

  @Route(routes.deleteAction)
  async deleteAction(@RequestCall() call: CallOf<typeof routes.deleteAction>) {
    return this.change(call, call.params.notification_number, 'delete');
  }

  private async putByName(call: CallOf<typeof routes.putNotification | typeof routes.putEnvironmentAction>) {
    const { type: _, triggers, ...rest } = call.body;
    const input = { ...rest, triggers: [...new Set(triggers)] };
    return this.answerMade(new PutNotification({ caller: callerOf(call), where: { kind: 'name', input } }));
  }

  @Route(routes.replaceNotification)
  async replace(@RequestCall() call: CallOf<typeof routes.replaceNotification>) {
    const number = numberOf(call.params.notification_number);
    const { type: _, triggers, ...rest } = call.body;
    const input = { ...rest, ...(triggers === undefined ? {} : { triggers: [...new Set(triggers)] }) };
    return this.ok(new PutNotification({ caller: callerOf(call), where: { kind: 'number', number, input } }));
  }

  @Route(routes.deleteNotification)
  async delete(@RequestCall() call: CallOf<typeof routes.deleteNotification>) {
    return this.change(call, call.params.notification_number, 'delete', 'env');
  }

  @Route(routes.testNotification)
  async test(@RequestCall() call: CallOf<typeof routes.testNotification>) {
    return this.change(call, call.params.notification_number, 'test');
  }

  @Route(routes.issueSigningSecret)
  async issue(@RequestCall() call: CallOf<typeof routes.issueSigningSecret>) {
    return this.issueFor(call, call.body, { notification: numberOf(call.params.notification_number) });
  }

  @Route(routes.putTargetConfig)
  async putConfig(@RequestCall() call: CallOf<typeof routes.putTargetConfig>) {
    const { name, targets } = call.body;
    return this.answerMade(new ChangeTargetConfig({ caller: callerOf(call), name, targets }));
  }

  @Route(routes.deleteTargetConfig)
  async deleteConfig(@RequestCall() call: CallOf<typeof routes.deleteTargetConfig>) {
    return this.ok(new ChangeTargetConfig({ caller: callerOf(call), name: call.params.config, targets: null }));
  }

  @Route(routes.issueConfigSigningSecret)
  async issueInConfig(@RequestCall() call: CallOf<typeof routes.issueConfigSigningSecret>) {
    return this.issueFor(call, call.body, { config: call.params.config });
  }

  @Route(routes.putNotificationConfig)
  async putKeyExpiry(@RequestCall() call: CallOf<typeof routes.putNotificationConfig>) {
    checkNotificationType(call.params.notification_type);
    await this.run(new ChangeKeyExpiry({ caller: callerOf(call), targets: call.body.targets }));
    return answer(201, 'OK');
  }

  @Route(routes.deleteNotificationConfig)
  async deleteKeyExpiry(@RequestCall() call: CallOf<typeof routes.deleteNotificationConfig>) {
    checkNotificationType(call.params.notification_type);
    return this.ok(new ChangeKeyExpiry({ caller: callerOf(call), targets: null }));
  }

  private async change(call: Call, number: string, change: 'delete' | 'test', type?: NotificationType) {
    const of = type === undefined ? {} : { type };
    return this.ok(new ChangeNotification({ caller: callerOf(call), number: numberOf(number), change, ...of }));
  }

  private async issueFor(
    call: Call,
    { target, grace_seconds: grace = GRACE_S }: SigningSecretInput,
    owner: TargetOwner,
  ) {
    if (grace > GRACE_MAX_S) {
      const text = `Input should be at most ${GRACE_MAX_S} [input: ${grace}]`;
      throw new RefusalError({ kind: 'invalid', errors: { grace_seconds: text } });
    }
    const issuedSecret = await this.run(new IssueSecret({ caller: callerOf(call), owner, request: { target, grace } }));
    const { secret, previousUntil } = issuedSecret;
    return answer(201, { target, secret, previous_valid_until: previousUntil === null ? null : previousUntil / 1000 });
  }
}

/**
 * Parses a number from a path.
 *
 * @throws RefusalError if the text is not a number of a notification
 */
function numberOf(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new RefusalError({ kind: 'notification-unknown' });
  return Number(text);
}
