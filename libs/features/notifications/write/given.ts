import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import {
  type ChannelTargetInput,
  type TargetInput,
  typed,
  type WebhookInput,
} from '@assurance/contracts/notifications/bodies/targets';
import type { SlackContext } from '@assurance/contracts/notifications/events';
import { no, ok, type Result } from '@assurance/kernel';
import type { GivenTarget } from '../domain/targets';

/** @param configId the id of a target configuration by its name, null when there is none */
export async function givenTargets(
  targets: readonly TargetInput[],
  configId: (name: string) => Promise<string | null>,
): Promise<Result<readonly GivenTarget[], FeatureRefusal>> {
  const given: GivenTarget[] = [];
  for (const [i, target] of targets.map(typed).entries()) {
    if (target.type !== 'NESTED_CONFIG') {
      given.push(givenChannel(target));
      continue;
    }
    const config = await configId(target.config);
    if (config === null) {
      const text = `Target configuration '${target.config}' does not exist`;
      return no({ kind: 'invalid', errors: { [`targets.${i}.config`]: text } });
    }
    given.push({ ...named(target), type: target.type, config });
  }
  return ok(given);
}

export function givenChannel(channel: ChannelTargetInput): GivenTarget {
  const target = typed(channel);
  switch (target.type) {
    case 'SLACK': {
      const { type, context } = target;
      return { ...named(target), type, ...urlOf(target), context: context == null ? null : contextOf(context) };
    }
    case 'WEBHOOK': {
      const { type, payload_version } = target;
      return { ...named(target), type, ...urlOf(target), payloadVersion: payload_version ?? null };
    }
    case 'EMAIL':
      return { ...named(target), type: target.type, emails: [target.emails].flat().join(',') };
    default:
      return { ...named(target), type: target.type, ...urlOf(target) };
  }
}

function named({ id }: TargetInput): { readonly id?: string } {
  return id == null ? {} : { id };
}

function urlOf({ webhook, webhook_hint: hint }: WebhookInput) {
  return { webhook: webhook == null || webhook === '' ? null : webhook, ...(hint == null ? {} : { hint }) };
}

function contextOf(context: { readonly [K in keyof SlackContext]: SlackContext[K] | null }): SlackContext {
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== null)) as SlackContext;
}
