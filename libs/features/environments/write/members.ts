import type { Register } from '@assurance/access/write/register';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { Caller } from '@assurance/http/command-caller';
import { err, ok, type Result } from '@assurance/kernel';
import type { Environments } from './environments';

/** Ids of the members of a logical environment, each once: they must exist and be physical. */
export async function membersOf(
  register: Register,
  environments: Environments,
  { org }: Caller,
  names: readonly string[],
): Promise<Result<string[], FeatureRefusal>> {
  const ids = new Set<string>();
  for (const name of names) {
    const id = await register.find(org.id, 'environment', name);
    const member = id === null ? null : await environments.find(id);
    const problem = member === null ? 'does not exist' : problemOf(member.environment);
    if (member === null || problem !== null) {
      return err({ kind: 'invalid', errors: { included_environments: `Environment '${name}' ${problem}` } });
    }
    ids.add(member.environment.id);
  }
  return ok([...ids]);
}

function problemOf({ type, archived }: { readonly type: string; readonly archived: boolean }): string | null {
  if (archived) return 'has been archived';
  return type === 'logical' ? 'is a logical environment itself' : null;
}
