import type { DomainEvent } from '@assurance/contracts/events/event';
import { canonicalJson, type Decision } from '@assurance/kernel';

/** A decider, and how the state that it decides on comes from events. */
export interface DeciderUnderTest<State, Command, Facts extends readonly unknown[], Past extends DomainEvent, Decided> {
  /** See `replayOf`; written by hand where the state is more than an aggregate's. */
  readonly replay: (events: readonly Past[]) => State;
  readonly decide: (state: State, command: Command, ...facts: Facts) => Decided;
}

/** How a decision may end. A sentence ends with exactly one of these. `Told` is what they return. */
export interface Endings<Event, Refusal, Told = void> {
  /** These events, in this order, and no others. They survive storage, and the state can be folded with them. */
  thenRecords(...events: readonly [Event, ...Event[]]): Told;
  /** This refusal: nothing is recorded. */
  thenRefuses(refusal: Refusal): Told;
  /** Neither events nor a refusal. */
  thenNothing(): Told;
}

export interface Given<Command, Facts extends readonly unknown[], Event, Refusal, Told = void> {
  when(command: Command, ...facts: Facts): Endings<Event, Refusal, Told>;
}

export interface Spec<Command, Facts extends readonly unknown[], Event, Refusal, Past, Told = void> {
  /** The events before, oldest first; none for a new stream. */
  given(...events: readonly Past[]): Given<Command, Facts, Event, Refusal, Told>;
}

/**
 * Lets a spec read as a sentence: `door.given(opened).when(close, facts).thenRecords(closed)`.
 *
 * State and command are frozen, so a decider that changes what it was handed fails. No method is called `then`: JavaScript would take the
 * sentence for a promise. Call it where a `describe` is allowed: from there on a test that asserts nothing (a sentence without its ending) fails.
 */
export function deciderSpec<
  State,
  Command,
  Facts extends readonly unknown[],
  Event extends Past,
  Refusal,
  Past extends DomainEvent,
>({
  replay,
  decide,
}: DeciderUnderTest<State, Command, Facts, Past, Decision<Event, Refusal>>): Spec<
  Command,
  Facts,
  Event,
  Refusal,
  Past
> {
  beforeEach(() => expect.hasAssertions());
  return {
    given: (...past) => ({
      when: (command, ...facts) => {
        const decision = decide(freeze(replay(freeze(past))), freeze(command), ...facts);
        return endingsOf(decision, (events) => replay([...past, ...events]));
      },
    }),
  };
}

/** The same for a decider that pauses: the endings are promises. */
export function pausingDeciderSpec<
  State,
  Command,
  Facts extends readonly unknown[],
  Event extends Past,
  Refusal,
  Past extends DomainEvent,
>({
  replay,
  decide,
}: DeciderUnderTest<State, Command, Facts, Past, Promise<Decision<Event, Refusal>>>): Spec<
  Command,
  Facts,
  Event,
  Refusal,
  Past,
  Promise<void>
> {
  beforeEach(() => expect.hasAssertions());
  return {
    given: (...past) => ({
      when: (command, ...facts) => {
        const decided = decide(freeze(replay(freeze(past))), freeze(command), ...facts);
        const endings = async () => endingsOf(await decided, (events) => replay([...past, ...events]));
        return {
          thenRecords: async (...events) => (await endings()).thenRecords(...events),
          thenRefuses: async (refusal) => (await endings()).thenRefuses(refusal),
          thenNothing: async () => (await endings()).thenNothing(),
        };
      },
    }),
  };
}

function endingsOf<Event extends DomainEvent, Refusal>(
  decision: Decision<Event, Refusal>,
  replayAfter: (events: readonly Event[]) => unknown,
): Endings<Event, Refusal> {
  return {
    thenRecords: (...events) => {
      expect(decision).toEqual({ kind: 'events', events });
      if (decision.kind !== 'events') return;
      expect(JSON.parse(canonicalJson(decision.events))).toEqual(decision.events);
      expect(replayAfter(decision.events)).not.toBeNull();
    },
    thenRefuses: (refusal) => expect(decision).toEqual({ kind: 'refused', refusal }),
    thenNothing: () => expect(decision).toEqual({ kind: 'nothing' }),
  };
}

/** Freezes a value all the way down. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}
