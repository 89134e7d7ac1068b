import { RETAINED, type RetentionDays, type RetentionSet } from '@assurance/contracts/audit/events';
import { NO_RETENTION } from '@assurance/evidence/domain/retention';
import type { Retention } from '@assurance/evidence/domain/retention-state';
import { accepted, type Decision, noChange } from '@assurance/kernel';

/** Sets after how many days an organization drops data. Dropped data does not come back. */
export function decideSetRetention(state: Retention | null, days: RetentionDays): Decision<RetentionSet, never> {
  const before = state?.days ?? NO_RETENTION.days;
  if (RETAINED.every((what) => before[what] === days[what])) return noChange;
  return accepted({ type: 'RetentionSet', version: 1, data: days });
}
