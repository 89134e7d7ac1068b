import type { Aggregate } from '@assurance/contracts/events/aggregate';
import type { DomainEvent, EventMeta } from '@assurance/contracts/events/event';

/** When the first given event happened: 2023-11-14T22:13:20Z, in milliseconds. */
export const FIRST_AT = 1_700_000_000_000;
/** How much later each next one happened. */
export const STEP_MS = 60_000;

/** Where events of a spec are, unless it says otherwise. */
export interface Place {
  /** @default 'acme' */
  readonly org?: string;
  /** The part of the stream's id after the kind. @default '1' */
  readonly key?: string;
}

/** The meta of the nth event (from 1) of a stream: each is a commit of its own, a minute after the one before. */
export function metaAt(kind: string, seq: number, { org = 'acme', key = '1' }: Place = {}): EventMeta {
  return { org, stream: `${kind}/${key}`, seq, at: FIRST_AT + (seq - 1) * STEP_MS, actor: 'ada' };
}

/** Folds events like a loader of the stream; null without events. */
export function replayOf<State extends object, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  place: Place = {},
): (events: readonly Event[]) => State | null {
  return (events) =>
    events.reduce<State | null>(
      (state, event, index) => aggregate.evolve(state, event, metaAt(aggregate.kind, index + 1, place)),
      null,
    );
}
