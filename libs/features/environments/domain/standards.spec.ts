import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { environment } from './environment';
import { decideAttachPolicies, decideDetachPolicies, POLICIES_MAX } from './standards';

const [one, two] = [
  { id: 'p1', name: 'one' },
  { id: 'p2', name: 'two' },
];
const attached = (policy: typeof one): EnvironmentEvent => ({
  type: 'PolicyAttached',
  version: 1,
  data: { policy, environment: 'production' },
});
const detached = (policy: typeof one): EnvironmentEvent => ({ ...attached(policy), type: 'PolicyDetached' }) as never;
const after = (...events: readonly EnvironmentEvent[]) => {
  const state = replayOf(environment, PROD)([environmentCreated(), ...events]);
  if (state === null) throw new Error('there is no environment');
  return state;
};
const events = (...all: readonly EnvironmentEvent[]) => ({ kind: 'events', events: all });

describe('policies of an environment', () => {
  it('are attached in their order, each once', () => {
    expect(decideAttachPolicies(after(), [two, one, two])).toEqual(events(attached(two), attached(one)));
    expect(decideAttachPolicies(after(attached(one)), [one, two])).toEqual(events(attached(two)));
    expect(after(attached(two), attached(one)).policies).toEqual(['p2', 'p1']);
  });

  it('that are attached, or detached, already change nothing', () => {
    expect(decideAttachPolicies(after(attached(one)), [one])).toEqual({ kind: 'nothing' });
    expect(decideDetachPolicies(after(attached(one)), [two])).toEqual({ kind: 'nothing' });
    expect(decideDetachPolicies(after(attached(one), detached(one)), [one])).toEqual({ kind: 'nothing' });
  });

  it('are detached', () => {
    expect(decideDetachPolicies(after(attached(one), attached(two)), [one])).toEqual(events(detached(one)));
  });

  it('are limited in number', () => {
    const many = Array.from({ length: POLICIES_MAX }, (_, i) => ({ id: `many-${i}`, name: `many-${i}` }));
    expect(decideAttachPolicies(after(), many)).toMatchObject({ kind: 'events' });
    expect(decideAttachPolicies(after(attached(one)), many)).toEqual({
      kind: 'refused',
      refusal: { kind: 'too-many-policies', count: POLICIES_MAX + 1, limit: POLICIES_MAX, field: 'policy_names' },
    });
  });
});
