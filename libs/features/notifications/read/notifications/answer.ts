import type {
  ActionAnswer,
  ChannelTargetAnswer,
  NotificationAnswer,
  TargetAnswer,
  TargetConfigAnswer,
} from '@assurance/contracts/notifications/answers/notification';
import type { Target } from '@assurance/contracts/notifications/events';
import { FAILING, type TargetHealth } from '../../domain/health';
import type { Notification } from '../../domain/notification-state';
import { mask } from '../../domain/secret';
import type { Signings } from '../../domain/signing';
import type { TargetConfig } from '../../domain/target-config';

/** The data for a notification's answer that is not in its aggregate state. */
export interface NotificationContext {
  /** Present names by id. */
  readonly environments: ReadonlyMap<string, { readonly name: string }>;
  readonly flows: ReadonlyMap<string, { readonly name: string }>;
  readonly configs: ReadonlyMap<string, Pick<TargetConfig, 'name'>>;
  readonly createdBy: string;
  /** The health of a target of the notification, one for each destination. */
  readonly health: (target: Target) => readonly TargetHealth[];
}

/** A notification of environments. */
export function notificationAnswer(state: Notification, context: NotificationContext): NotificationAnswer {
  const { flows: _, ...answer } = actionAnswer(state, context);
  return answer as NotificationAnswer;
}

/** A notification of environments or of flows. */
export function actionAnswer(
  { name, type, number, triggers, targets, signings, ...state }: Notification,
  { environments, flows, configs, createdBy, health }: NotificationContext,
): ActionAnswer {
  const namesIn = (ids: readonly string[], states: NotificationContext['flows']) =>
    ids.flatMap((id) => states.get(id)?.name ?? []);
  return {
    name,
    type: type as ActionAnswer['type'],
    number,
    environments: type === 'env' ? namesIn(state.environments, environments) : null,
    flows: type === 'flow' ? namesIn(state.flows ?? [], flows) : null,
    triggers,
    targets: targets.map((target) => ({ ...targetAnswer(target, signings, configs), ...times(health(target)) })),
    created_by: createdBy,
    is_created_from_slack_app: false,
    is_failing: targets.some((target) => health(target).some(({ failures }) => failures >= FAILING)),
    created_at: state.createdAt / 1000,
    last_modified_at: state.lastModifiedAt / 1000,
    ...timestamps(times(targets.flatMap((target) => health(target)))),
  };
}

function timestamps({ last_success_at: success, last_failure_at: failure }: ReturnType<typeof times>) {
  return {
    ...(success === undefined ? {} : { last_success_timestamp: success }),
    ...(failure === undefined ? {} : { last_failure_timestamp: failure }),
  };
}

/** A target configuration. */
export function targetConfigAnswer(
  { name, targets, signings, createdAt, lastModifiedAt }: TargetConfig,
  createdBy: string,
): TargetConfigAnswer {
  return {
    name,
    targets: targets.map((target) => targetAnswer(target, signings, new Map()) as ChannelTargetAnswer),
    created_by: createdBy,
    created_at: createdAt / 1000,
    last_modified_at: lastModifiedAt / 1000,
  };
}

/** The targets of warnings, with their results. */
export function keyExpiryTargets(
  { targets, signings }: Pick<Notification, 'targets' | 'signings'>,
  health: (target: Target) => TargetHealth | null,
): readonly ChannelTargetAnswer[] {
  return targets.map((target) => {
    const targetHealth = health(target);
    const answer = targetAnswer(target, signings, new Map()) as ChannelTargetAnswer;
    return { ...answer, ...times(targetHealth === null ? [] : [targetHealth]) };
  });
}

function targetAnswer(target: Target, signings: Signings, configs: NotificationContext['configs']): TargetAnswer {
  const { id } = target;
  switch (target.type) {
    case 'SLACK': {
      const { type, webhook, context } = target;
      return { id, type, webhook: '', webhook_hint: webhook && mask(webhook), context };
    }
    case 'WEBHOOK': {
      const { type, webhook, payloadVersion } = target;
      const signing = signings[id];
      const signing_secret = signing === undefined ? null : mask(signing.secret);
      const url = { webhook: '', webhook_hint: mask(webhook) };
      return { id, type, ...url, payload_version: payloadVersion, signing_secret };
    }
    case 'EMAIL':
      return { id, type: target.type, emails: target.emails.split(',').map((address) => address.trim()) };
    case 'NESTED_CONFIG':
      return { id, type: target.type, config: configs.get(target.config)?.name ?? '' };
    default:
      return { id, type: target.type, webhook: '', webhook_hint: mask(target.webhook) };
  }
}

/** The newest times of success and failure. Each is absent if there was none. */
function times(health: readonly TargetHealth[]): { last_success_at?: number; last_failure_at?: number } {
  const newest = (which: 'lastSuccessAt' | 'lastFailureAt') =>
    health.reduce<number | null>((max, { [which]: at }) => (at === null ? max : Math.max(max ?? at, at)), null);
  const [success, failure] = [newest('lastSuccessAt'), newest('lastFailureAt')];
  return {
    ...(success === null ? {} : { last_success_at: success / 1000 }),
    ...(failure === null ? {} : { last_failure_at: failure / 1000 }),
  };
}
