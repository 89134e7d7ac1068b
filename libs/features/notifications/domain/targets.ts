import type { SecretRef, SlackContext, Target, UrlTarget } from '@assurance/contracts/notifications/events';
import { canonicalJson } from '@assurance/kernel';
import { mask } from './secret';

/** The new URL; null keeps the present one. */
interface WebhookUpdate {
  readonly webhook: string | null;
  /** The masked form that was shown (`mask`). */
  readonly hint?: string;
}

/** A target in a request. */
export type TargetUpdate = { /** The id that was shown. */ readonly id?: string } & (
  | ({ readonly type: 'SLACK'; readonly context: SlackContext | null } & WebhookUpdate)
  | ({ readonly type: 'WEBHOOK'; readonly payloadVersion: '1.0' | null } & WebhookUpdate)
  | { readonly type: 'EMAIL'; readonly emails: string }
  | ({ readonly type: UrlTarget['type'] } & WebhookUpdate)
  | { readonly type: 'NESTED_CONFIG'; /** Id. */ readonly config: string }
);

/** An existing target with its decrypted URL, if it has one. */
export interface StoredTarget {
  readonly target: Target;
  readonly url: string | null;
}

/** A URL that is not sealed yet. */
export interface PlainUrl {
  readonly url: string;
}

type PlannedFields<T> = T extends { readonly webhook: SecretRef | null }
  ? Omit<T, 'webhook' | 'id'> & { readonly webhook: T['webhook'] | PlainUrl }
  : T extends unknown
    ? Omit<T, 'id'>
    : never;

/** A target to be stored. It keeps its id; null for a new target. */
export type PlannedTarget = { readonly id: string | null; readonly target: PlannedFields<Target> };

/**
 * Finds the existing target for each target of a request. An equal target keeps its id, and an existing (or absent) URL is not encrypted again. A
 * changed target stays the same one if the caller names its id, or if it is the next of its kind. It then keeps its health, its signing secret and
 * its pending messages.
 *
 * @returns null in the place of a target that needs a URL if neither the request nor the existing target has one
 */
export function planTargets(
  updates: readonly TargetUpdate[],
  storedTargets: readonly StoredTarget[],
): (PlannedTarget | null)[] {
  const matchedTargets = matchTargets(updates, storedTargets);
  const plannedTargets = updates.map((update, index) => contentOf(update, storedTargets, matchedTargets.get(index)));
  const free = new Set(storedTargets.map(({ target }) => target));
  const ids = new Map<number, string>();
  const claim = (matches: (index: number, target: Target) => boolean) =>
    plannedTargets.forEach((content, index) => {
      if (content === null || ids.has(index)) return;
      const target = [...free].find((target) => target.type === content.type && matches(index, target));
      if (target === undefined) return;
      free.delete(target);
      ids.set(index, target.id);
    });
  claim((index, { id, ...content }) => updates[index]?.id === id && isEqual(plannedTargets[index], content));
  claim((index, { id: _, ...content }) => isEqual(plannedTargets[index], content));
  claim((index, { id }) => updates[index]?.id === id);
  claim(() => true);
  return plannedTargets.map((target, index) => target && { id: ids.get(index) ?? null, target });
}

function isEqual(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/**
 * Finds the existing target of each update that has no URL. It is the target with the given id, with a URL that matches the hint, or with the same
 * channel. Otherwise it is the next target of the same kind that no update gives with its URL.
 */
function matchTargets(
  updates: readonly TargetUpdate[],
  storedTargets: readonly StoredTarget[],
): ReadonlyMap<number, Target> {
  const webhooks = new Set(updates.map((update) => ('webhook' in update ? update.webhook : null)));
  const free = new Set(
    storedTargets.filter(({ url }) => url === null || !webhooks.has(url)).map(({ target }) => target),
  );
  const matched = new Map<number, Target>();
  const claim = (matches: (update: TargetUpdate & WebhookUpdate, target: Target & Webhook) => boolean) =>
    updates.forEach((update, index) => {
      if (matched.has(index) || !('webhook' in update) || update.webhook !== null) return;
      const target = [...free].find(
        (target) => 'webhook' in target && target.type === update.type && matches(update, target),
      );
      if (target === undefined) return;
      free.delete(target);
      matched.set(index, target);
    });
  claim(({ id }, target) => id === target.id);
  claim(({ hint }, { webhook }) => hint !== undefined && webhook !== null && hint === mask(webhook));
  claim((update, target) => 'context' in update && 'context' in target && isEqual(update.context, target.context));
  claim(() => true);
  return matched;
}

/** A target that has a URL. */
interface Webhook {
  readonly webhook: SecretRef | null;
}

function contentOf(
  { id: _, ...update }: TargetUpdate,
  storedTargets: readonly StoredTarget[],
  storedTarget: Target | undefined,
): PlannedFields<Target> | null {
  if (update.type === 'EMAIL' || update.type === 'NESTED_CONFIG') return update;
  const { webhook: url, hint: _hint, ...rest } = update;
  if (url !== null) {
    const stored = storedTargets.find(({ target, url: its }) => target.type === update.type && its === url)?.target;
    return { ...rest, webhook: (stored !== undefined && 'webhook' in stored ? stored.webhook : null) ?? { url } };
  }
  const webhook = storedTarget !== undefined && 'webhook' in storedTarget ? storedTarget.webhook : null;
  if (webhook !== null) return { ...rest, webhook };
  return rest.type === 'SLACK' && rest.context !== null ? { ...rest, webhook: null } : null;
}
