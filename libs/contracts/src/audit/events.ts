import type { DomainEvent } from '../events/event';

/** Data that retention can drop: files of attestations, payloads of attestations, full states of snapshots. */
export const RETAINED = ['attachments', 'payloads', 'snapshots'] as const;
export type Retained = (typeof RETAINED)[number];

/** The number of days after which each kind of data is dropped; null: never. */
export type RetentionDays = Readonly<Record<Retained, number | null>>;

/** The target of a legal hold: all trails of a flow, or one of them. */
export interface HoldScope {
  /** Id of the flow. */
  readonly flow: string;
  /** Name of the trail; null: every trail of the flow. */
  readonly trail: string | null;
}

/** Drops all data of one kind that was recorded before a time, except held data. */
export interface DropRule {
  readonly what: Retained;
  /** The rule: data older than this number of days is dropped. */
  readonly days: number;
  /** Integer milliseconds. Data that was recorded before this time is dropped. */
  readonly before: number;
  /** Integer milliseconds. Earlier rules dropped all data before this time. 0 after a hold was released. */
  readonly from: number;
}

export type RetentionSet = DomainEvent<'RetentionSet', 1, RetentionDays>;
export type HoldPlaced = DomainEvent<'HoldPlaced', 1, HoldScope & { readonly reason: string }>;
export type HoldReleased = DomainEvent<'HoldReleased', 1, HoldScope>;
/** Committed before any data is removed. */
export type EvidenceDropped = DomainEvent<'EvidenceDropped', 1, { readonly rules: readonly DropRule[] }>;

export type RetentionEvent = RetentionSet | HoldPlaced | HoldReleased | EvidenceDropped;
