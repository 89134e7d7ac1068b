import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentType } from '@assurance/contracts/environments/events';
import type { Commit } from '@assurance/storage-ports';
import type { RunsDigests } from '../domain/runs';

/** An environment without its running artifacts. */
export interface UnloadedEnvironment {
  readonly environment: Environment;
  readonly newest: Commit;
  /**
   * Digests of the running artifacts, if they are cached and the newest commit is of an earlier version, whose digests are computed in another way.
   */
  readonly digests?: RunsDigests;
}

/** The digest that an environment compares: with instance counts only if it includes scaling. */
export function digestKindOf({ includeScaling }: Environment): keyof RunsDigests {
  return includeScaling ? 'runsCounted' : 'runs';
}

/** Whether a report of this type with this digest changes nothing and would not be refused. `digestKindOf` returns the kind of digest. */
export function isUnchanged(
  { environment, newest, digests }: UnloadedEnvironment,
  type: EnvironmentType,
  digest: string,
): boolean {
  const { archived, reportedAs } = environment;
  if (archived || reportedAs !== undefined || environment.type !== type) return false;
  const current = digests ?? (newest.index?.identity === undefined ? null : newest.index);
  return current?.[digestKindOf(environment)] === digest;
}
