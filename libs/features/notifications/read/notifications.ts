import { actorsOf } from '@assurance/access/lookups/actors';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import type {
  ActionAnswer,
  DeliveryPage,
  NotificationAnswer,
  TargetConfigAnswer,
} from '@assurance/contracts/notifications/answers/notification';
import type { Target } from '@assurance/contracts/notifications/events';
import { environmentsById } from '@assurance/environments/lookups/environments';
import type { Ports } from '@assurance/event-sourcing/tokens';
import { flow } from '@assurance/flows/domain/flow';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { err, ok, type Result } from '@assurance/kernel';
import { getAll } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { healthId, targetHealth } from '../domain/health';
import { notification } from '../domain/notification';
import type { Notification } from '../domain/notification-state';
import { type TargetConfig, targetConfig } from '../domain/target-config';
import { findTargetConfig } from '../lookups/target-configs';
import { actionAnswer, notificationAnswer, type NotificationContext, targetConfigAnswer } from './notifications/answer';
import { listDeliveries } from './notifications/deliveries';

/** More than an organization may have (`NOTIFICATIONS_MAX`). Concurrent creations may exceed the limit by a few. */
const ALL = 1_000;

/** All notifications of an organization, or the one with a number from the path. Includes notifications of environments and of flows. */
export class GetActions extends queryBy<{ number: string | null }, Result<readonly ActionAnswer[], Refusal>>() {}

/** The same, but only notifications of environments. */
export class GetNotifications extends queryBy<
  { number: string | null },
  Result<readonly NotificationAnswer[], Refusal>
>() {}

abstract class NotificationsHandler extends ReadingHandler {
  /** @param isWanted notifications for which this is false count as unknown */
  protected async answers<Answer>(
    { caller: { org }, number }: GetActions | GetNotifications,
    answerOf: (state: Notification, context: NotificationContext) => Answer,
    isWanted: (state: Notification) => boolean,
  ): Promise<Result<Answer[], Refusal>> {
    const candidate = number === null ? null : await notificationOf(this.ports, org.id, number);
    if (number !== null && candidate === null) return err({ kind: 'notification-unknown' });
    const all = (candidate === null ? await this.all(org.id) : [candidate]).filter(isWanted);
    const environmentIds = all.flatMap((item) => item.environments);
    const environments = await environmentsById(this.ports.documents, environmentIds);
    const flows = await this.flowsOf(all);
    const notifications = all.filter((item) => !isArchived(item, environments, flows));
    if (candidate !== null && notifications.length === 0) return err({ kind: 'notification-unknown' });
    const configs = await this.configsOf(notifications);
    const healths = await this.healthsOf(notifications, configs);
    const nameOf = actorsOf(this.ports.documents);
    const health = (target: Target) => idsOf(target, configs).flatMap((id) => healths.get(id) ?? []);
    const answers: Answer[] = [];
    for (const item of notifications) {
      const createdBy = await nameOf(item.createdBy);
      answers.push(answerOf(item, { environments, flows, configs, createdBy, health }));
    }
    return ok(answers);
  }

  private async flowsOf(all: readonly Notification[]): Promise<ReadonlyMap<string, Flow>> {
    const ids = all.flatMap(({ flows = [] }) => flows.map(streams.flow));
    const states = await getAll(this.ports.documents.collection(flow.states), ids);
    return new Map([...states.values()].map((state) => [state.id, state]));
  }

  private async all(org: string): Promise<Notification[]> {
    const results = await this.ports.documents.collection(notification.states).find({
      where: { org, deleted: false },
      order: orderBy('number'),
      limit: ALL,
    });
    return results.map(({ doc }) => doc);
  }

  private async configsOf(notifications: readonly Notification[]): Promise<ReadonlyMap<string, TargetConfig>> {
    const ids = notifications.flatMap(({ targets }) =>
      targets.flatMap((target) => (target.type === 'NESTED_CONFIG' ? target.config : [])),
    );
    const states = await getAll(this.ports.documents.collection(targetConfig.states), ids.map(streams.targetConfig));
    return new Map([...states.values()].map((state) => [state.id, state]));
  }

  private async healthsOf(notifications: readonly Notification[], configs: ReadonlyMap<string, TargetConfig>) {
    const ids = notifications.flatMap(({ targets }) => targets.flatMap((target) => idsOf(target, configs)));
    return getAll(this.ports.documents.collection(targetHealth), ids);
  }
}

@QueryHandler(GetActions)
export class GetActionsHandler extends NotificationsHandler implements IQueryHandler<GetActions> {
  execute(query: GetActions): Promise<Result<ActionAnswer[], Refusal>> {
    return this.answers(query, actionAnswer, ({ type }) => type !== 'api_key_expiry');
  }
}

@QueryHandler(GetNotifications)
export class GetNotificationsHandler extends NotificationsHandler implements IQueryHandler<GetNotifications> {
  execute(query: GetNotifications): Promise<Result<NotificationAnswer[], Refusal>> {
    return this.answers(query, notificationAnswer, ({ type }) => type === 'env');
  }
}

/** All target configurations of an organization, or the one with a name. */
export class GetTargetConfigs extends queryBy<
  { name: string | null },
  Result<readonly TargetConfigAnswer[], Refusal>
>() {}

@QueryHandler(GetTargetConfigs)
export class GetTargetConfigsHandler extends ReadingHandler implements IQueryHandler<GetTargetConfigs> {
  async execute({ caller: { org }, name }: GetTargetConfigs): Promise<Result<TargetConfigAnswer[], Refusal>> {
    const result = name === null ? ok(await this.all(org.id)) : await findTargetConfig(this.ports, org, name);
    if (!result.ok) return result;
    const nameOf = actorsOf(this.ports.documents);
    const answers: TargetConfigAnswer[] = [];
    for (const item of [result.value].flat()) answers.push(targetConfigAnswer(item, await nameOf(item.createdBy)));
    return ok(answers);
  }

  private async all(org: string): Promise<TargetConfig[]> {
    const results = await this.ports.documents.collection(targetConfig.states).find({
      where: { org, deleted: false },
      order: orderBy('name'),
      limit: ALL,
    });
    return results.map(({ doc }) => doc);
  }
}

/** A page of the messages that a notification sent. */
export class ListDeliveries extends queryBy<
  { number: string; page: { readonly before: string | null; readonly limit: number } },
  Result<DeliveryPage, Refusal>
>() {}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler extends ReadingHandler implements IQueryHandler<ListDeliveries> {
  async execute({ caller: { org }, number, page }: ListDeliveries): Promise<Result<DeliveryPage, Refusal>> {
    const results = await notificationOf(this.ports, org.id, number);
    if (results === null) return err({ kind: 'notification-unknown' });
    return ok(await listDeliveries(this.ports.documents, { org: org.id, number: results.number }, page));
  }
}

/** Whether a notification is archived: all environments and flows that it lists are archived. It is active again when one of them is. */
function isArchived(
  { environments: ids, flows: flowIds = [] }: Notification,
  environments: ReadonlyMap<string, { readonly archived: boolean }>,
  flows: ReadonlyMap<string, { readonly archived: boolean }>,
): boolean {
  const all = [...ids.map((id) => environments.get(id)), ...flowIds.map((id) => flows.get(id))];
  return all.length > 0 && all.every((item) => item?.archived === true);
}

/** @param number from the path. A text that is not a number means an unknown notification, not bad input */
async function notificationOf({ documents }: Ports, org: string, number: string): Promise<Notification | null> {
  if (!/^[1-9][0-9]{0,14}$/.test(number)) return null;
  const state = await documents.collection(notification.states).get(streams.notification(org, Number(number)));
  return state === null || state.deleted ? null : state;
}

/** The ids of the health documents of a target. If the target refers to a configuration, there is one for each target of the configuration. */
function idsOf(target: Target, configs: ReadonlyMap<string, TargetConfig>): string[] {
  if (target.type !== 'NESTED_CONFIG') return [healthId(target.id, null)];
  return (configs.get(target.config)?.targets ?? []).map(({ id }) => healthId(target.id, id));
}
