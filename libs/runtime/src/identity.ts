import type { Identify, IdentifyContext, Role } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';

/**
 * The one identity guard of this process: the one that a role brings.
 *
 * Where no role brings one, the gateway's signed header is to be trusted (DESIGN, Five services): it comes with the scaled engines.
 */
export function identityGuard(roles: readonly Role[], context: IdentifyContext): Result<Identify, string> {
  const guards = roles.flatMap(({ identify }) => (identify === undefined ? [] : [identify]));
  const [guard, second] = guards;
  if (guard === undefined) return no('No role of this process can tell who calls: add the gateway.');
  if (second !== undefined) return no('Two roles of this process bring an identity guard: leave one out.');
  return ok(guard(context));
}
