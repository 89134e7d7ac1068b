import type { SecretRef, SlackContext, Target } from '@assurance/contracts-events';
import { canonicalJson } from '@assurance/kernel';
import { MASK, mask } from '@assurance/model-notification';

/** A target as a caller gives it: with the URL itself, or as it was shown (`mask`). */
export type GivenTarget = { /** As it was shown. */ readonly id?: string } & (
  | { readonly type: 'SLACK'; readonly webhook: string | null; readonly context: SlackContext | null }
  | { readonly type: 'WEBHOOK'; readonly webhook: string; readonly payloadVersion: '1.0' | null }
  | { readonly type: 'EMAIL'; readonly emails: string }
  | { readonly type: 'NESTED_CONFIG'; /** Id. */ readonly config: string }
);

/** A target that is there, with its URL unsealed where it has one. */
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

/** What a target is to be: the id that it keeps, null for a new one. */
export type PlannedTarget = { readonly id: string | null; readonly target: Planned<Target> };

/**
 * Finds for each given target the one that it was: the same again keeps its id, a URL that is there (or is given as it was shown) is not sealed
 * again. A target that changed stays the same one when the caller names its id, or when it is the next of its kind: its health, its signing secret
 * and what is still to be sent go with it.
 *
 * @returns null in the place of a target whose URL is given as one is shown that is not there
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
 * Which sealed URL is meant by each that is given as it was shown: that of the target whose id comes with it, else the next one that looks like it
 * and is not given whole, for several may end alike.
 */
function meantBy(given: readonly GivenTarget[], known: readonly KnownTarget[]): ReadonlyMap<number, SecretRef> {
  const whole = new Set(given.map((one) => ('webhook' in one ? one.webhook : null)));
  const free = new Set(known.filter(({ url }) => !whole.has(url)).map(({ target }) => target));
  const meant = new Map<number, SecretRef>();
  const claim = (matches: (id: string | undefined, target: Target) => boolean) =>
    given.forEach((one, index) => {
      if (meant.has(index) || !('webhook' in one)) return;
      for (const target of free) {
        const ref = target.type === one.type ? target.webhook : null;
        if (ref === null || mask(ref) !== one.webhook || !matches(one.id, target)) continue;
        free.delete(target);
        meant.set(index, ref);
        return;
      }
    });
  claim((id, target) => id === target.id);
  claim(() => true);
  return meant;
}

function contentOf(
  { id: _, ...given }: GivenTarget,
  known: readonly KnownTarget[],
  meant: SecretRef | undefined,
): Planned<Target> | null {
  if (given.type === 'EMAIL' || given.type === 'NESTED_CONFIG') return given;
  if (given.webhook === null) return given.type === 'SLACK' ? { ...given, webhook: null } : null;
  const { webhook: url } = given;
  const refs = known.flatMap(({ target, url: its }) =>
    target.type === given.type && target.webhook !== null ? [{ ref: target.webhook, url: its }] : [],
  );
  const found = meant ?? refs.find((one) => one.url === url || mask(one.ref) === url)?.ref;
  if (found === undefined && url.startsWith(MASK)) return null;
  return { ...given, webhook: found ?? { url } };
}
