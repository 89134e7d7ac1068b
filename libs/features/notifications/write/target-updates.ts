import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import {
  type ChannelTargetInput,
  type TargetInput,
  typed,
  type WebhookInput,
} from '@assurance/contracts/notifications/bodies/targets';
import type { SlackContext } from '@assurance/contracts/notifications/events';
import { err, ok, type Result } from '@assurance/kernel';
import type { TargetUpdate } from '../domain/targets';

/** @param configId finds the id of a target configuration by its name; null if there is none */
export async function targetUpdatesOf(
  targets: readonly TargetInput[],
  configId: (name: string) => Promise<string | null>,
): Promise<Result<readonly TargetUpdate[], FeatureRefusal>> {
  const updates: TargetUpdate[] = [];
  for (const [i, target] of targets.map(typed).entries()) {
    if (target.type !== 'NESTED_CONFIG') {
      updates.push(targetUpdateOf(target));
      continue;
    }
    const config = await configId(target.config);
    if (config === null) {
      const text = `Target configuration '${target.config}' does not exist`;
      return err({ kind: 'invalid', errors: { [`targets.${i}.config`]: text } });
    }
    updates.push({ ...idField(target), type: target.type, config });
  }
  return ok(updates);
}

export function targetUpdateOf(channel: ChannelTargetInput): TargetUpdate {
  const target = typed(channel);
  switch (target.type) {
    case 'SLACK': {
      const { type, context } = target;
      return { ...idField(target), type, ...urlOf(target), context: context == null ? null : contextOf(context) };
    }
    case 'WEBHOOK': {
      const { type, payload_version } = target;
      return { ...idField(target), type, ...urlOf(target), payloadVersion: payload_version ?? null };
    }
    case 'EMAIL':
      return { ...idField(target), type: target.type, emails: [target.emails].flat().join(',') };
    default:
      return { ...idField(target), type: target.type, ...urlOf(target) };
  }
}

function idField({ id }: TargetInput): { readonly id?: string } {
  return id == null ? {} : { id };
}

function urlOf({ webhook, webhook_hint: hint }: WebhookInput) {
  return { webhook: webhook == null || webhook === '' ? null : webhook, ...(hint == null ? {} : { hint }) };
}

function contextOf(context: { readonly [K in keyof SlackContext]: SlackContext[K] | null }): SlackContext {
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== null)) as SlackContext;
}
