import type { SecretRef, SlackContext, Target, UrlTarget } from '@assurance/contracts/notifications/events';
import { canonicalJson } from '@assurance/kernel';
import { mask } from './secret';

/** The new URL; null keeps the present one. */
interface GivenWebhook {
  readonly webhook: string | null;
  /** As it was shown (`mask`). */
  readonly hint?: string;
}

/** A target as a caller gives it. */
export type GivenTarget = { /** As it was shown. */ readonly id?: string } & (
  | ({ readonly type: 'SLACK'; readonly context: SlackContext | null } & GivenWebhook)
  | ({ readonly type: 'WEBHOOK'; readonly payloadVersion: '1.0' | null } & GivenWebhook)
  | { readonly type: 'EMAIL'; readonly emails: string }
  | ({ readonly type: UrlTarget['type'] } & GivenWebhook)
  | { readonly type: 'NESTED_CONFIG'; /** Id. */ readonly config: string }
);

/** An existing target with its decrypted URL, if it has one. */
export interface KnownTarget {
  readonly target: Target;
  readonly url: string | null;
}

/** A URL that is not sealed yet. */
export interface Unsealed {
  readonly url: string;
}

type Planned<T> = T extends { readonly webhook: SecretRef | null }
  ? Omit<T, 'webhook' | 'id'> & { readonly webhook: T['webhook'] | Unsealed }
  : T extends unknown
    ? Omit<T, 'id'>
    : never;

/** A target to be stored. It keeps its id; null for a new target. */
export type PlannedTarget = { readonly id: string | null; readonly target: Planned<Target> };

/**
 * Finds the existing target of each given one. An equal target keeps its id, and an existing (or absent) URL is not encrypted again. A
 * changed target stays the same one if the caller names its id, or if it is the next of its kind. It then keeps its health, its signing
 * secret and its waiting messages.
 *
 * @returns null in the place of a target that needs a URL, where none is given and none is there
 */
export function planTargets(given: readonly GivenTarget[], known: readonly KnownTarget[]): (PlannedTarget | null)[] {
  const meant = meantBy(given, known);
  const wanted = given.map((one, index) => contentOf(one, known, meant.get(index)));
  const free = new Set(known.map(({ target }) => target));
  const ids = new Map<number, string>();
  const claim = (matches: (index: number, target: Target) => boolean) =>
    wanted.forEach((content, index) => {
      if (content === null || ids.has(index)) return;
      const found = [...free].find((target) => target.type === content.type && matches(index, target));
      if (found === undefined) return;
      free.delete(found);
      ids.set(index, found.id);
    });
  claim((index, { id, ...content }) => given[index]?.id === id && same(wanted[index], content));
  claim((index, { id: _, ...content }) => same(wanted[index], content));
  claim((index, { id }) => given[index]?.id === id);
  claim(() => true);
  return wanted.map((target, index) => target && { id: ids.get(index) ?? null, target });
}

function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/**
 * Which target is meant by each that comes without its URL: the one whose id comes with it, whose URL looks like the hint, or which posts to the
 * same channel; else the next of its kind that is not given with its URL.
 */
function meantBy(given: readonly GivenTarget[], known: readonly KnownTarget[]): ReadonlyMap<number, Target> {
  const whole = new Set(given.map((one) => ('webhook' in one ? one.webhook : null)));
  const free = new Set(known.filter(({ url }) => url === null || !whole.has(url)).map(({ target }) => target));
  const meant = new Map<number, Target>();
  const claim = (matches: (one: GivenTarget & GivenWebhook, target: Target & Webhook) => boolean) =>
    given.forEach((one, index) => {
      if (meant.has(index) || !('webhook' in one) || one.webhook !== null) return;
      const found = [...free].find((target) => 'webhook' in target && target.type === one.type && matches(one, target));
      if (found === undefined) return;
      free.delete(found);
      meant.set(index, found);
    });
  claim(({ id }, target) => id === target.id);
  claim(({ hint }, { webhook }) => hint !== undefined && webhook !== null && hint === mask(webhook));
  claim((one, target) => 'context' in one && 'context' in target && same(one.context, target.context));
  claim(() => true);
  return meant;
}

/** The URL that a target has. */
interface Webhook {
  readonly webhook: SecretRef | null;
}

function contentOf(
  { id: _, ...given }: GivenTarget,
  known: readonly KnownTarget[],
  meant: Target | undefined,
): Planned<Target> | null {
  if (given.type === 'EMAIL' || given.type === 'NESTED_CONFIG') return given;
  const { webhook: url, hint: _hint, ...rest } = given;
  if (url !== null) {
    const found = known.find(({ target, url: its }) => target.type === given.type && its === url)?.target;
    return { ...rest, webhook: (found !== undefined && 'webhook' in found ? found.webhook : null) ?? { url } };
  }
  const webhook = meant !== undefined && 'webhook' in meant ? meant.webhook : null;
  if (webhook !== null) return { ...rest, webhook };
  return rest.type === 'SLACK' && rest.context !== null ? { ...rest, webhook: null } : null;
}
