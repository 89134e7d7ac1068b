import type { KeyObject } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import {
  type AuthenticationAttempt,
  type Identify,
  type IdentifyContext,
  IDENTITY_VALID_MS,
  type RateLimiter,
  type RevocationWatch,
  type Role,
  SingleUse,
  socketAddress,
  verifyIdentity,
} from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';

/** The shortest time between two warnings about requests for another instance (milliseconds). */
const WARN_EVERY_MS = 60_000;

/**
 * The identity guard of this process. The gateway's role provides a guard that checks keys. Without that role, the process
 * trusts only identities that a gateway of the same installation has signed.
 *
 * @param keys the keys that sign identities in this installation: of the current secret, and of the previous secret
 * @param reachedAt addresses through which gateways reach this process, in addition to its own
 */
export function identityGuard(
  roles: readonly Role[],
  context: IdentifyContext,
  keys: readonly KeyObject[],
  reachedAt: readonly string[],
): Result<Identify, string> {
  const guards = roles.flatMap(({ identify }) => (identify === undefined ? [] : [identify]));
  const [guard, second] = guards;
  if (second !== undefined) return err('Two roles of this process bring an identity guard: leave one out.');
  return ok(guard === undefined ? identifyBySignature(keys, context, reachedAt) : guard(context));
}

function identifyBySignature(
  keys: readonly KeyObject[],
  { clock, logger }: IdentifyContext,
  reachedAt: readonly string[],
): Identify {
  // The clock of the signer may be ahead, so an id must be remembered for twice its validity.
  const usedIdentities = new SingleUse(2 * IDENTITY_VALID_MS);
  let warnedAt = -Infinity;
  return (attempt) => {
    const { signed, request } = attempt;
    const now = clock.now();
    const signedIdentity = signed === null ? null : verifyIdentity(keys, signed, request, now);
    if (signedIdentity === null) return Promise.resolve(err('unauthenticated'));
    const { to } = signedIdentity;
    if (to !== undefined && !isOwnAddress(to, attempt, reachedAt)) {
      if (clock.steady() - warnedAt >= WARN_EVERY_MS) {
        warnedAt = clock.steady();
        logger.warn(
          { to, at: attempt.reachedAt },
          'a request for another instance was refused: name the address in ASSURANCE_REACHED_AT if it leads here',
        );
      }
      return Promise.resolve(err('unauthenticated'));
    }
    if (!usedIdentities.use(signedIdentity.id, signedIdentity.at, now)) return Promise.resolve(err('unauthenticated'));
    return Promise.resolve(
      ok(
        signedIdentity.seal === null
          ? signedIdentity.identity
          : { ...signedIdentity.identity, seal: signedIdentity.seal },
      ),
    );
  };
}

/**
 * Whether an address in `to` is configured, is the connection's own, or is another address of this machine with the same
 * port (a local proxy).
 */
function isOwnAddress(
  to: readonly string[],
  { reachedAt: { address, port } }: AuthenticationAttempt,
  configured: readonly string[],
): boolean {
  if (to.some((candidate) => configured.includes(candidate)) || to.includes(socketAddress(address, port))) return true;
  const all = Object.values(networkInterfaces()).flatMap((item) => item ?? []);
  return all.some((own) => !own.internal && to.includes(socketAddress(own.address, port)));
}

/**
 * The limiter that counts the requests of callers; null if no role provides one. Services have none, because a gateway
 * has already counted the requests that it forwards.
 */
export function limiterOf(roles: readonly Role[], context: IdentifyContext): RateLimiter | null {
  return roles.find(({ limit }) => limit !== undefined)?.limit?.(context) ?? null;
}

/**
 * Ends running requests of callers that have lost their rights; null if no role provides it. Services have none, because
 * the gateway aborts the requests that it forwarded.
 */
export function revocationsOf(roles: readonly Role[], context: IdentifyContext): RevocationWatch | null {
  return roles.find(({ revocations }) => revocations !== undefined)?.revocations?.(context) ?? null;
}
