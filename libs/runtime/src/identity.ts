import {
  type Identify,
  type IdentifyContext,
  IDENTITY_VALID_MS,
  type RateLimiter,
  type Role,
  SingleUse,
  verifyIdentity,
} from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';

/**
 * The one identity guard of this process: the one that a role brings (the gateway, which knows keys); without one, what a gateway of the
 * same installation signed is trusted, and nothing else.
 *
 * @param keys sign identities in this installation: of the present secret, and of the previous one
 */
export function identityGuard(
  roles: readonly Role[],
  context: IdentifyContext,
  keys: readonly Uint8Array[],
): Result<Identify, string> {
  const guards = roles.flatMap(({ identify }) => (identify === undefined ? [] : [identify]));
  const [guard, second] = guards;
  if (second !== undefined) return no('Two roles of this process bring an identity guard: leave one out.');
  return ok(guard === undefined ? identifyBySignature(keys, context.clock) : guard(context));
}

function identifyBySignature(keys: readonly Uint8Array[], clock: IdentifyContext['clock']): Identify {
  // A claim may be of a clock that is ahead, and so be asked about for twice its time.
  const used = new SingleUse(2 * IDENTITY_VALID_MS);
  return ({ signed, request }) => {
    const now = clock.now();
    const said = signed === null ? null : verifyIdentity(keys, signed, request, now);
    if (said === null || !used.take(said.id, said.at, now)) return Promise.resolve(no('unauthenticated'));
    return Promise.resolve(ok(said.seal === null ? said.identity : { ...said.identity, seal: said.seal }));
  };
}

/** What counts the requests of this process's callers, where a role brings it; services count nothing again that a gateway let in. */
export function limiterOf(roles: readonly Role[], context: IdentifyContext): RateLimiter | null {
  return roles.find(({ limit }) => limit !== undefined)?.limit?.(context) ?? null;
}
