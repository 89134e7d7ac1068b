import type { CollectionShape } from '@assurance/contracts/events/aggregate';

/** The results of recent messages to a target. No event records them, and only the dispatcher writes them. */
export interface TargetHealth {
  /** Integer milliseconds; null before the first success or failure. */
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** Failed attempts since the last success. */
  readonly failures: number;
}

/** One document for each target, with the id `healthId`. */
export const targetHealth: CollectionShape<TargetHealth> = { name: 'target_health', indexes: [] };

/** A target with this number of consecutive failed attempts is failing (`is_failing`). */
export const FAILING = 3;

/** @param member the target inside a target configuration; null for a target of the notification itself */
export function healthId(target: string, member: string | null): string {
  return member === null ? target : `${target}/${member}`;
}
