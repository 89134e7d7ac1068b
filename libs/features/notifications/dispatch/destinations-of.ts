import type { ChannelTarget, Target } from '@assurance/contracts/notifications/events';
import type { Delivery } from '../domain/delivery';
import type { Notification } from '../domain/notification-state';
import type { TargetConfig } from '../domain/target-config';

/** One destination of a notification's target. A target that refers to a configuration has several. */
export interface Destination {
  readonly target: string;
  readonly member: Delivery['member'];
  readonly channel: ChannelTarget;
  /** Id of the queue. All notifications that use a configuration share the queues of its targets. */
  readonly destination: string;
}

type Configs = ReadonlyMap<string, Pick<TargetConfig, 'id' | 'targets'>>;

/** All destinations of a notification. */
export function placesOf({ org, number, targets }: Notification, configs: Configs): Destination[] {
  return targets.flatMap((target): Destination[] => {
    if (target.type !== 'NESTED_CONFIG') {
      return [{ target: target.id, member: null, channel: target, destination: `${org}/${number}/${target.id}` }];
    }
    const { config } = target;
    return (configs.get(config)?.targets ?? []).map((channel) => ({
      target: target.id,
      member: { config, target: channel.id },
      channel,
      destination: `config/${config}/${channel.id}`,
    }));
  });
}

/** Ids of the configurations that targets refer to. */
export function configsIn(targets: readonly Target[]): string[] {
  return targets.flatMap((target) => (target.type === 'NESTED_CONFIG' ? target.config : []));
}
