import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { Environment } from '@assurance/contracts/environments/documents';
import { stateOf } from '../../domain/environment';
import { ACTIVITY_THROTTLE_MS, type EnvironmentActivity } from '../../domain/reports';

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
  const { name, type, description, lastModifiedAt, lastChangedAt, reported, tags } = environment;
  return {
    org,
    name,
    type,
    description,
    last_modified_at: lastModifiedAt / 1000,
    last_reported_at: activity === null ? null : reportedAt(activity, reported?.observedAt) / 1000,
    last_changed_at: lastChangedAt === null ? null : lastChangedAt / 1000,
    state: stateOf(environment),
    include_scaling: environment.includeScaling,
    require_provenance: environment.requireProvenance,
    tags,
    space_id: spaceId,
    policies: environment.policies.flatMap((id) => policies.get(id) ?? []),
    included_environments: members === null ? null : [...members],
  };
}

/** A snapshot shortly after the report that was noted comes from a report that was not. */
function reportedAt({ lastReportedAt }: EnvironmentActivity, recorded = 0): number {
  const since = recorded - lastReportedAt;
  return since > 0 && since < ACTIVITY_THROTTLE_MS ? lastReportedAt + since : lastReportedAt;
}
