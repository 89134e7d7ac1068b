import type { HoldScope, Retained, RetentionDays } from '@assurance/contracts/audit/events';

/** A legal hold. After its release it stays until a drop covers the data that it protected. */
export interface Hold extends HoldScope {
  readonly reason: string;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the user or service account. */
  readonly by: string;
  readonly released: boolean;
  /** For each kind: data recorded at this time or later is kept (integer milliseconds). */
  readonly keptFrom: Readonly<Record<Retained, number>>;
  /** For each kind: data recorded before this time was dropped before the hold was placed, so some may be gone (integer milliseconds). */
  readonly goneBefore: Readonly<Record<Retained, number>>;
}

/** The retention rules, the legal holds and the dropped data of an organization. */
export interface Retention {
  readonly org: string;
  readonly days: RetentionDays;
  /** By the key of their scope. */
  readonly holds: Readonly<Record<string, Hold>>;
  /** Dropped data of each kind, oldest rule first: one entry for each number of days. */
  readonly dropped: Readonly<Record<Retained, readonly DropInfo[]>>;
}

/** The rule that dropped a record. */
export interface DropInfo {
  readonly what: Retained;
  /** The rule: data older than this number of days is dropped. */
  readonly days: number;
  /** Integer milliseconds. Records before this time are dropped, unless a hold protects them. */
  readonly before: number;
  /** When the rule was last applied: integer milliseconds. */
  readonly at: number;
  /** The position of the drop event in the retention stream. */
  readonly seq: number;
}
