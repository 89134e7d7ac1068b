import { Register } from '@assurance/access/write/register';
import type { Holder } from '@assurance/contracts/events/holder';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { TargetInput } from '@assurance/contracts/notifications/bodies/targets';
import type { NotificationSettings, NotificationType, Trigger } from '@assurance/contracts/notifications/events';
import { Environments } from '@assurance/environments/write/environments';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { flow } from '@assurance/flows/domain/flow';
import { RefusalError } from '@assurance/http';
import { type Caller, commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notification, notificationNumbers, NOTIFICATIONS_MAX } from '../domain/notification';
import type { Notification } from '../domain/notification-state';
import { decideTakeNumber } from '../domain/number-notifications';
import {
  type CreateNotification,
  decideCreateNotification,
  decideUpdateNotification,
} from '../domain/put-notification';
import { TargetConfigs } from './configs';
import { targetUpdatesOf } from './target-updates';
import { Secrets } from './secrets';
import { TargetSealing } from './targets';

export interface NotificationInput {
  /** Absent: a notification of environments. */
  readonly type?: NotificationType;
  readonly name?: string;
  /** Names. */
  readonly environments?: readonly string[];
  /** Names. */
  readonly flows?: readonly string[];
  readonly triggers?: readonly Trigger[];
  readonly targets: readonly TargetInput[];
}

/** The required fields of a new notification. */
type Complete = NotificationInput & { readonly name: string; readonly triggers: readonly Trigger[] };

/** The notification to write: the one with a name, which is created if it does not exist, or the one with a number. */
export type NotificationToPut =
  | { readonly kind: 'name'; readonly input: Complete }
  | { readonly kind: 'number'; readonly number: number; readonly input: NotificationInput };

/** Creates a notification or updates it (specification 4.2). */
export class PutNotification extends commandBy<{ where: NotificationToPut }, 'made' | 'kept'>() {}

type ResolvedInput<Input> = Omit<Input, 'environments' | 'flows' | 'targets'> &
  Partial<Pick<NotificationSettings, 'environments' | 'flows'>>;

@CommandHandler(PutNotification)
export class PutNotificationHandler implements ICommandHandler<PutNotification> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly environments: Environments,
    private readonly configs: TargetConfigs,
    private readonly secrets: Secrets,
  ) {}

  async execute({ caller, where }: PutNotification): Promise<Result<'made' | 'kept', FeatureRefusal>> {
    const { org } = caller;
    const { environments: names, flows: flowNames, targets, ...rest } = where.input;
    const environments = names === undefined ? ok(undefined) : await this.environmentIds(caller, names);
    if (!environments.ok) return environments;
    const flows = flowNames === undefined ? ok(undefined) : await this.flowIds(caller, flowNames);
    if (!flows.ok) return flows;
    const result = await targetUpdatesOf(targets, (name) => this.configs.find(org.id, name));
    if (!result.ok) return result;
    const resolvedInput = {
      ...rest,
      ...(environments.value === undefined ? {} : { environments: environments.value }),
      ...(flows.value === undefined ? {} : { flows: flows.value }),
    };

    const number = where.kind === 'number' ? where.number : await this.numberOf(caller, where.input.name);
    const sealing = new TargetSealing(this.secrets, org.id, this.streams.sources.id);
    let before: Notification | null = null;
    const stream = streams.notification(org.id, number);
    const outcome = await this.streams.run(notification, stream, commitAuthorOf(caller), async ({ state, newest }) => {
      before = state;
      const sealedTargets = await sealing.sealTargets(result.value, state?.targets ?? []);
      if (!sealedTargets.ok) return refused<FeatureRefusal>(sealedTargets.refusal);
      const settings = { ...resolvedInput, targets: sealedTargets.value };
      if (where.kind === 'name') return decideCreateNotification(state, settings as CreateNotification, { number });
      const isOwn = await this.claimName(caller, number, newest?.seq ?? 0, state, resolvedInput);
      return decideUpdateNotification(state, settings, { isOwn });
    });
    await sealing.removeUnused(before, outcome.kind === 'refused' ? before : outcome.state);
    if (outcome.kind === 'refused') return err(ownName(outcome.refusal));
    return ok(before === null ? 'made' : 'kept');
  }

  /** The number of the notification with a name, or a new unique number. */
  private async numberOf(caller: Caller, name: string): Promise<number> {
    const { org } = caller;
    const existingId = await this.register.find(org.id, 'notification', name);
    const aggregateState =
      existingId === null
        ? null
        : await this.streams.states(notification).get(streams.notification(org.id, Number(existingId)));
    if (existingId !== null && (aggregateState === null || (!aggregateState.deleted && aggregateState.name === name)))
      return Number(existingId);
    await this.checkLimit(org.id);
    const outcome = await this.streams.run(
      notificationNumbers,
      streams.notificationNumbers(org.id),
      commitAuthorOf(caller),
      ({ state }) => decideTakeNumber(state),
    );
    if (outcome.kind !== 'committed') throw new Error('a number is always given');
    const newNotification = { id: String(outcome.state.taken) };
    return Number(
      await this.register.take(org.id, 'notification', name, newNotification, commitAuthorOf(caller), (id) =>
        this.holder(org.id, id),
      ),
    );
  }

  private async claimName(
    caller: Caller,
    number: number,
    seq: number,
    state: Notification | null,
    { name }: ResolvedInput<NotificationInput>,
  ): Promise<boolean> {
    if (state === null || state.deleted || name === undefined || name === state.name) return true;
    const { org } = caller;
    const as = { id: String(number), at: seq };
    const look = (id: string) => this.holder(org.id, id);
    return (await this.register.take(org.id, 'notification', name, as, commitAuthorOf(caller), look)) === as.id;
  }

  private holder(org: string, id: string): Promise<Holder | null> {
    return this.streams.holder(notification, streams.notification(org, Number(id)));
  }

  private async environmentIds(caller: Caller, names: readonly string[]): Promise<Result<string[], FeatureRefusal>> {
    const ids = new Set<string>();
    for (const name of names) {
      const id = await this.register.find(caller.org.id, 'environment', name);
      if (id === null || (await this.environments.holder(id)) === null) {
        return err({ kind: 'invalid', errors: { environments: `Environment '${name}' does not exist` } });
      }
      ids.add(id);
    }
    return ok([...ids]);
  }

  private async flowIds(caller: Caller, names: readonly string[]): Promise<Result<string[], FeatureRefusal>> {
    const ids = new Set<string>();
    for (const name of names) {
      const id = await this.register.find(caller.org.id, 'flow', name);
      if (id === null || (await this.streams.holder(flow, streams.flow(id))) === null) {
        return err({ kind: 'invalid', errors: { flows: `Flow '${name}' does not exist` } });
      }
      ids.add(id);
    }
    return ok([...ids]);
  }

  private async checkLimit(org: string): Promise<void> {
    const count = await this.streams.states(notification).count({ org, deleted: false });
    if (count < NOTIFICATIONS_MAX) return;
    throw new RefusalError({ kind: 'too-many', things: 'notifications', limit: NOTIFICATIONS_MAX });
  }
}

/** Converts a refused name to an error of the field `name`. Routes that only rename call this field otherwise. */
function ownName(refusal: FeatureRefusal): FeatureRefusal {
  if (refusal.kind !== 'name-taken') return refusal;
  return {
    kind: 'invalid',
    errors: { name: `This is the name of another notification already [input: ${refusal.name}]` },
  };
}
