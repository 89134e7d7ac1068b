import type { Aggregate } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { deciderSpec } from './decider-spec';
import { FIRST_AT, replayOf, STEP_MS } from './replay';

type Opened = DomainEvent<'Opened', 1, { readonly by: string }>;
interface Door {
  readonly openedAt: number;
  readonly stream: string;
}
const door: Aggregate<Door, Opened> = {
  kind: 'door',
  states: { name: 'doors', indexes: [] },
  schemaVersion: 1,
  evolve: (_state, _event, { at, stream }) => ({ openedAt: at, stream }),
};
const opened = (by: string): Opened => ({ type: 'Opened', version: 1, data: { by } });

function decideOpen(state: Door | null, by: string, facts: { readonly locked: boolean }): Decision<Opened, 'locked'> {
  if (facts.locked) return refused('locked');
  return state === null ? accepted(opened(by)) : noChange;
}

const spec = deciderSpec({ replay: replayOf(door), decide: decideOpen });
const free = { locked: false };

describe('a decider spec', () => {
  it('passes for the right ending', () => {
    spec.given().when('ada', free).thenRecords(opened('ada'));
    spec.given(opened('ada')).when('bob', free).thenNothing();
    spec.given().when('ada', { locked: true }).thenRefuses('locked');
  });

  it('fails for every other ending', () => {
    const recorded = spec.given().when('ada', free);
    expect(() => recorded.thenRecords(opened('bob'))).toThrow();
    expect(() => recorded.thenRecords(opened('ada'), opened('ada'))).toThrow();
    expect(() => recorded.thenRefuses('locked')).toThrow();
    expect(() => recorded.thenNothing()).toThrow();
    const still = spec.given(opened('ada')).when('bob', free);
    expect(() => still.thenRecords(opened('bob'))).toThrow();
    expect(() => still.thenRefuses('locked')).toThrow();
    const locked = spec.given().when('ada', { locked: true });
    expect(() => locked.thenNothing()).toThrow();
    expect(() => locked.thenRecords(opened('ada'))).toThrow();
  });

  it('has no method `then`', () => expect(spec.given().when('ada', free)).not.toHaveProperty('then'));
});

describe('a decider that changes what it was handed', () => {
  const rude = deciderSpec({
    replay: replayOf(door),
    decide: (_state: Door | null, command: { by: string }): Decision<Opened, never> => {
      command.by = 'eve';
      return accepted(opened('eve'));
    },
  });

  it('fails', () => expect(() => rude.given().when({ by: 'ada' })).toThrow(TypeError));
});

describe('a replay of given events', () => {
  it('is null without any', () => expect(replayOf(door)([])).toBeNull());
  it('gives each its own time and the stream its key', () => {
    expect(replayOf(door, { key: '7' })([opened('ada'), opened('bob')])).toEqual({
      openedAt: FIRST_AT + STEP_MS,
      stream: 'door/7',
    });
  });
});
