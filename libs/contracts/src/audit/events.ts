import type { DomainEvent } from '../events/event';

/** Data that retention can drop: files of attestations, payloads of attestations, full states of snapshots. */
export const RETAINED = ['attachments', 'payloads', 'snapshots'] as const;
export type Retained = (typeof RETAINED)[number];

/** For each kind, after how many days it is dropped; null: never. */
export type RetentionDays = Readonly<Record<Retained, number | null>>;

/** The target of a legal hold: all trails of a flow, or one of them. */
export interface HoldScope {
  /** Id of the flow. */
  readonly flow: string;
  /** Name of the trail; null: every trail of the flow. */
  readonly trail: string | null;
}

/** That everything of one kind that was recorded before a time was dropped, unless it was held. */
export interface DropRule {
  readonly what: Retained;
  /** The rule: data older than this number of days is dropped. */
  readonly days: number;
  /** Integer milliseconds: what was recorded earlier. */
  readonly before: number;
  /** Integer milliseconds: everything earlier was dropped by earlier rules. 0 after a hold was released. */
  readonly from: number;
}

export type RetentionSet = DomainEvent<'RetentionSet', 1, RetentionDays>;
export type HoldPlaced = DomainEvent<'HoldPlaced', 1, HoldScope & { readonly reason: string }>;
export type HoldReleased = DomainEvent<'HoldReleased', 1, HoldScope>;
/** Committed before anything is removed. */
export type EvidenceDropped = DomainEvent<'EvidenceDropped', 1, { readonly rules: readonly DropRule[] }>;

export type RetentionEvent = RetentionSet | HoldPlaced | HoldReleased | EvidenceDropped;
