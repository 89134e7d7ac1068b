import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { replayOf } from '@assurance/testing/deciders/replay';
import { environmentCreated, PROD } from '@assurance/testing/deciders/samples';
import { environment } from './environment';
import { decideAttachPolicies, decideDetachPolicies, POLICIES_MAX } from './standards';

const [firstStandards, secondStandards] = [
  { id: 'p1', name: 'one' },
  { id: 'p2', name: 'two' },
];
const attached = (policy: typeof firstStandards): EnvironmentEvent => ({
  type: 'PolicyAttached',
  version: 1,
  data: { policy, environment: 'production' },
});
const detached = (policy: typeof firstStandards): EnvironmentEvent =>
  ({ ...attached(policy), type: 'PolicyDetached' }) as never;
const after = (...events: readonly EnvironmentEvent[]) => {
  const state = replayOf(environment, PROD)([environmentCreated(), ...events]);
  if (state === null) throw new Error('there is no environment');
  return state;
};
const events = (...all: readonly EnvironmentEvent[]) => ({ kind: 'events', events: all });

describe('policies of an environment', () => {
  it('are attached in their order, each once', () => {
    expect(decideAttachPolicies(after(), [secondStandards, firstStandards, secondStandards])).toEqual(
      events(attached(secondStandards), attached(firstStandards)),
    );
    expect(decideAttachPolicies(after(attached(firstStandards)), [firstStandards, secondStandards])).toEqual(
      events(attached(secondStandards)),
    );
    expect(after(attached(secondStandards), attached(firstStandards)).policies).toEqual(['p2', 'p1']);
  });

  it('that are attached, or detached, already change nothing', () => {
    expect(decideAttachPolicies(after(attached(firstStandards)), [firstStandards])).toEqual({ kind: 'nothing' });
    expect(decideDetachPolicies(after(attached(firstStandards)), [secondStandards])).toEqual({ kind: 'nothing' });
    expect(decideDetachPolicies(after(attached(firstStandards), detached(firstStandards)), [firstStandards])).toEqual({
      kind: 'nothing',
    });
  });

  it('are detached', () => {
    expect(decideDetachPolicies(after(attached(firstStandards), attached(secondStandards)), [firstStandards])).toEqual(
      events(detached(firstStandards)),
    );
  });

  it('are limited in number', () => {
    const many = Array.from({ length: POLICIES_MAX }, (_, i) => ({ id: `many-${i}`, name: `many-${i}` }));
    expect(decideAttachPolicies(after(), many)).toMatchObject({ kind: 'events' });
    expect(decideAttachPolicies(after(attached(firstStandards)), many)).toEqual({
      kind: 'refused',
      refusal: { kind: 'too-many-policies', count: POLICIES_MAX + 1, limit: POLICIES_MAX, field: 'policy_names' },
    });
  });
});
