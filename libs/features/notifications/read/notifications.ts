import { actorsOf } from '@assurance/access/lookups/actors';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type {
  DeliveryPage,
  NotificationAnswer,
  TargetConfigAnswer,
} from '@assurance/contracts/notifications/answers/notification';
import type { Target } from '@assurance/contracts/notifications/events';
import { environmentsById } from '@assurance/environments/lookups/environments';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import { no, ok, type Result } from '@assurance/kernel';
import { getAll } from '@assurance/storage-ports';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { healthId, targetHealth } from '../domain/health';
import { type Notification, notification } from '../domain/notification';
import { type TargetConfig, targetConfig } from '../domain/target-config';
import { findTargetConfig } from '../lookups/target-configs';
import { notificationAnswer, targetConfigAnswer } from './notifications/answer';
import { listDeliveries } from './notifications/deliveries';

/** More than an organization may have (`NOTIFICATIONS_MAX`): several made at the same moment may end a handful above. */
const ALL = 1_000;

/** All notifications of an organization, or the one of a number, as the path has it. */
export class GetNotifications extends queryBy<
  { number: string | null },
  Result<readonly NotificationAnswer[], Refusal>
>() {}

@QueryHandler(GetNotifications)
export class GetNotificationsHandler extends ReadingHandler implements IQueryHandler<GetNotifications> {
  async execute({ caller: { org }, number }: GetNotifications): Promise<Result<NotificationAnswer[], Refusal>> {
    const one = number === null ? null : await notificationOf(this.ports, org.id, number);
    if (number !== null && one === null) return no({ kind: 'notification-unknown' });
    const all = one === null ? await this.all(org.id) : [one];
    const environments = await environmentsById(
      this.ports.documents,
      all.flatMap((each) => each.environments),
    );
    const found = all.filter((each) => !isArchived(each, environments));
    if (one !== null && found.length === 0) return no({ kind: 'notification-unknown' });
    const configs = await this.configsOf(found);
    const healths = await this.healthsOf(found, configs);
    const nameOf = actorsOf(this.ports.documents);
    const health = (target: Target) => idsOf(target, configs).flatMap((id) => healths.get(id) ?? []);
    const answers: NotificationAnswer[] = [];
    for (const each of found) {
      const createdBy = await nameOf(each.createdBy);
      answers.push(notificationAnswer(each, { environments, configs, createdBy, health }));
    }
    return ok(answers);
  }

  private async all(org: string): Promise<Notification[]> {
    const found = await this.ports.documents.collection(notification.states).find({
      where: { org, deleted: false },
      order: orderBy('number'),
      limit: ALL,
    });
    return found.map(({ doc }) => doc);
  }

  private async configsOf(found: readonly Notification[]): Promise<ReadonlyMap<string, TargetConfig>> {
    const ids = found.flatMap(({ targets }) =>
      targets.flatMap((target) => (target.type === 'NESTED_CONFIG' ? target.config : [])),
    );
    const states = await getAll(this.ports.documents.collection(targetConfig.states), ids.map(streams.targetConfig));
    return new Map([...states.values()].map((state) => [state.id, state]));
  }

  private async healthsOf(found: readonly Notification[], configs: ReadonlyMap<string, TargetConfig>) {
    const ids = found.flatMap(({ targets }) => targets.flatMap((target) => idsOf(target, configs)));
    return getAll(this.ports.documents.collection(targetHealth), ids);
  }
}

/** All target configurations of an organization, or the one of a name. */
export class GetTargetConfigs extends queryBy<
  { name: string | null },
  Result<readonly TargetConfigAnswer[], Refusal>
>() {}

@QueryHandler(GetTargetConfigs)
export class GetTargetConfigsHandler extends ReadingHandler implements IQueryHandler<GetTargetConfigs> {
  async execute({ caller: { org }, name }: GetTargetConfigs): Promise<Result<TargetConfigAnswer[], Refusal>> {
    const found = name === null ? ok(await this.all(org.id)) : await findTargetConfig(this.ports, org, name);
    if (!found.ok) return found;
    const nameOf = actorsOf(this.ports.documents);
    const answers: TargetConfigAnswer[] = [];
    for (const each of [found.value].flat()) answers.push(targetConfigAnswer(each, await nameOf(each.createdBy)));
    return ok(answers);
  }

  private async all(org: string): Promise<TargetConfig[]> {
    const found = await this.ports.documents.collection(targetConfig.states).find({
      where: { org, deleted: false },
      order: orderBy('name'),
      limit: ALL,
    });
    return found.map(({ doc }) => doc);
  }
}

/** A page of the messages that a notification sent. */
export class ListDeliveries extends queryBy<
  { number: string; page: { readonly before: string | null; readonly limit: number } },
  Result<DeliveryPage, Refusal>
>() {}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(@Inject(PORTS) private readonly ports: Ports) {}

  async execute({ caller: { org }, number, page }: ListDeliveries): Promise<Result<DeliveryPage, Refusal>> {
    const found = await notificationOf(this.ports, org.id, number);
    if (found === null) return no({ kind: 'notification-unknown' });
    return ok(await listDeliveries(this.ports.documents, { org: org.id, number: found.number }, page));
  }
}

/** A notification is archived with the environments that it listens to, where all of them are, and wakes with the first. */
function isArchived(
  { environments: ids }: Notification,
  environments: ReadonlyMap<string, { readonly archived: boolean }>,
): boolean {
  return ids.length > 0 && ids.every((id) => environments.get(id)?.archived === true);
}

/** @param number from the path; a text that is no number means an unknown notification, not bad input */
async function notificationOf({ documents }: Ports, org: string, number: string): Promise<Notification | null> {
  if (!/^[1-9][0-9]{0,14}$/.test(number)) return null;
  const state = await documents.collection(notification.states).get(streams.notification(org, Number(number)));
  return state === null || state.deleted ? null : state;
}

/** The ids of the health documents of a target. A reference to a configuration has one for each target of that configuration. */
function idsOf(target: Target, configs: ReadonlyMap<string, TargetConfig>): string[] {
  if (target.type !== 'NESTED_CONFIG') return [healthId(target.id, null)];
  return (configs.get(target.config)?.targets ?? []).map(({ id }) => healthId(target.id, id));
}
