import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { Environment } from '@assurance/contracts/environments/documents';
import { stateOf } from '../../domain/environment';
import { ACTIVITY_THROTTLE_MS, NEVER_REPORTED, type EnvironmentActivity } from '../../domain/reports';
import { lateSince } from '../../domain/silence';

/**
 * An environment as the wire shows it.
 *
 * @param members names of the members of a logical environment
 * @param spaceId of the space in which it is shown
 * @param policies names of policies by their ids
 */
export function environmentAnswer(
  org: string,
  environment: Environment,
  activity: EnvironmentActivity | null,
  members: readonly string[] | null,
  spaceId: string,
  policies: ReadonlyMap<string, string>,
): EnvironmentAnswer {
  const { name, type, description, lastModifiedAt, lastChangedAt, tags } = environment;
  return {
    org,
    name,
    type,
    description,
    last_modified_at: lastModifiedAt / 1000,
    last_reported_at: lastReportedAt(environment, activity),
    last_changed_at: secondsOf(lastChangedAt),
    report_every: environment.reportEvery || null,
    late_since: secondsOf(lateSince(environment, activity)),
    state: stateOf(environment),
    include_scaling: environment.includeScaling,
    require_provenance: environment.requireProvenance,
    tags,
    space_id: spaceId,
    policies: environment.policies.flatMap((id) => policies.get(id) ?? []),
    included_environments: members === null ? null : [...members],
  };
}

/** When the newest report of an environment was observed, in epoch seconds; null before the first. */
export function lastReportedAt({ reported }: Environment, activity: EnvironmentActivity | null): number | null {
  if (activity === null || activity.lastReportedAt === NEVER_REPORTED) return secondsOf(reported?.observedAt ?? null);
  return lastReportTime(activity, reported?.observedAt) / 1000;
}

/** @param ms integer milliseconds */
export function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** A snapshot shortly after the report that was noted comes from a report that was not. */
function lastReportTime({ lastReportedAt }: EnvironmentActivity, recorded = 0): number {
  const since = recorded - lastReportedAt;
  return since > 0 && since < ACTIVITY_THROTTLE_MS ? lastReportedAt + since : lastReportedAt;
}
