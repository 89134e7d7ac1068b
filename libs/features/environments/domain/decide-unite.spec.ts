import fc from 'fast-check';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent, RunningArtifact, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import {
  change,
  environmentCreated,
  fingerprintOf,
  PROD,
  provenance,
  timeAfter,
} from '@assurance/testing/deciders/samples';
import { environment } from './environment';
import { decideJoin, MEMBERS_MAX } from './join-environment';
import { SnapshotReplay } from './snapshot';
import { decideUnite, type Member } from './decide-unite';

const all = (events: readonly EnvironmentEvent[]): Environment => {
  const state = replayOf(environment, PROD)(events);
  if (state === null) throw new Error('these events begin with a creation');
  return state;
};
const recordedAfter = (events: readonly EnvironmentEvent[]) => {
  const replay = new SnapshotReplay();
  for (const event of events) replay.apply(event);
  return replay.result().artifacts;
};

const logical = environmentCreated({ type: 'logical', includedEnvironments: ['m1', 'm2'] });
const [A, B] = ['a', 'b'].map(fingerprintOf) as [string, string];
const since = (snapshot: number) => ({ snapshot, at: timeAfter(snapshot), deployedAt: timeAfter(snapshot) / 1000 });
/** Since when a member runs an artifact. */
const MEMBERS_SINCE = { snapshot: 9, at: timeAfter(0), deployedAt: 1_600_000_000 };
/** An artifact as a member recorded it, with the member's `since`. */
const runs = (fingerprint: string, fields: Partial<RunningArtifact> = {}): RunningArtifact => ({
  fingerprint,
  name: 'web:1',
  instances: [1_600],
  since: MEMBERS_SINCE,
  flows: [],
  compliant: null,
  ...fields,
});
const recorded = (snapshot: number, ...changes: SnapshotRecorded['data']['changes']): SnapshotRecorded => ({
  type: 'SnapshotRecorded',
  version: 1,
  data: { snapshot, environment: 'production', type: 'logical', changes, members: {}, observedAt: timeAfter(snapshot) },
});
const started = (fingerprint: string, snapshot: number, fields: Partial<Parameters<typeof change>[1]> = {}) =>
  change('started', {
    ...runs(fingerprint),
    since: { ...since(snapshot), deployedAt: MEMBERS_SINCE.deployedAt },
    was: 0,
    now: 1,
    wholly: true,
    ...fields,
  });

/** A member that judges what it runs as its artifacts say. */
const running = (artifacts: readonly RunningArtifact[]): Member => {
  const all = artifacts.map(({ compliant }) => compliant);
  const compliant = all.includes(false) ? false : all.includes(null) || all.length === 0 ? null : true;
  return { id: 'm1', snapshot: 0, compliant, artifacts, observedAt: null, tellsHistory: false };
};

describe('the union of members', () => {
  const spec = deciderSpec({ replay: all, decide: decideUnite });
  /** Given these events, when the members run this. */
  const when = (past: readonly EnvironmentEvent[], ...members: readonly (readonly RunningArtifact[])[]) =>
    spec
      .given(...past)
      .when({ members: members.map(running) }, { at: timeAfter(past.length), recordedArtifacts: recordedAfter(past) });
  const snapshot = recorded(1, started(A, 1));

  it('makes the first snapshot once a member runs something', () => {
    when([logical], [], []).thenNothing();
    when([logical]).thenNothing();
    when([logical], [], [runs(A)]).thenRecords(snapshot);
  });

  it('makes no snapshot without a difference', () => {
    when([logical, snapshot], [runs(A)], []).thenNothing();
    when([logical, snapshot], [], [runs(A)]).thenNothing();
    when([logical, snapshot], [runs(A)], [runs(A)]).thenNothing();
  });

  it('keeps which snapshots of its members it unites', () => {
    const [first, second] = [running([runs(A)]), running([])];
    const members = [
      { ...first, id: 'm1', snapshot: 7 },
      { ...second, id: 'm2', snapshot: 0 },
      { ...second, id: 'm3', snapshot: 2 },
    ];
    const { data, ...event } = snapshot;
    spec
      .given(logical)
      .when({ members }, { at: timeAfter(1), recordedArtifacts: [] })
      .thenRecords({ ...event, data: { ...data, members: { m1: 7, m3: 2 } } });
  });

  it('lists artifacts that came and that left', () => {
    when([logical, snapshot], [runs(B)], []).thenRecords(
      recorded(2, started(B, 2), change('exited', { ...started(A, 1), change: 'exited', was: 1, now: 0 })),
    );
  });

  it('counts the instances of all, where it includes scaling', () => {
    const earlier = { ...MEMBERS_SINCE, deployedAt: 1_500_000_000 };
    const members = [[runs(A)], [runs(A, { instances: [1_500, 1_700], since: earlier })]] as const;
    when([logical], ...members).thenRecords(
      recorded(
        1,
        started(A, 1, {
          instances: [1_600, 1_500, 1_700],
          now: 3,
          since: { ...since(1), deployedAt: 1_500_000_000 },
        }),
      ),
    );
    const scaling = { ...logical, data: { ...logical.data, includeScaling: true } };
    const scaled = { ...started(A, 1), change: 'scaled', was: 1, now: 3, wholly: false } as const;
    when([scaling, snapshot], ...members).thenRecords(
      recorded(2, change('scaled', { ...scaled, instances: [1_600, 1_500, 1_700] })),
    );
  });

  it('shows the provenance of the member that has the most, and when more becomes known', () => {
    const flow = { ...provenance('a'), leadTime: null, deploymentDiff: null };
    const more = { ...started(A, 1), change: 'updated-provenance', was: 1, now: 1, wholly: false } as const;
    when([logical, snapshot], [runs(A, { flows: [flow] })]).thenRecords(
      recorded(2, change('updated-provenance', { ...more, flows: [flow] })),
    );
    const existing = recorded(1, started(A, 1, { flows: [flow] }));
    when([logical, existing], [runs(A)], [runs(A, { flows: [flow] })]).thenNothing();
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [null, false, false],
    [true, null, null],
  ])('is compliant as all are: %s and %s are %s', (first, second, both) => {
    const { data, ...event } = recorded(1, started(A, 1, { instances: [1_600, 1_600], now: 2, compliant: both }));
    const judged =
      both === null ? {} : { judged: { compliant: both, policies: [], requireProvenance: false, heads: {} } };
    when([logical], [runs(A, { compliant: first })], [runs(A, { compliant: second })]).thenRecords({
      ...event,
      data: { ...data, ...judged },
    });
  });

  describe('is observed', () => {
    const [own, later] = [timeAfter(1), timeAfter(1) + 5_000];
    const observed = (observedAt: number | null, tellsHistory: boolean, at: number) =>
      spec
        .given(logical, snapshot)
        .when(
          { members: [{ ...running([runs(A), runs(B)]), observedAt, tellsHistory }] },
          { at, recordedArtifacts: recordedAfter([snapshot]) },
        );
    const at = (observedAt: number) => {
      const { data, ...event } = recorded(
        2,
        started(B, 2, { since: { ...since(2), at: observedAt, deployedAt: MEMBERS_SINCE.deployedAt } }),
      );
      return { ...event, data: { ...data, observedAt } };
    };

    it('when its member was, where that is later', () => observed(later, false, later + 9_000).thenRecords(at(later)));
    it('now, after a change of its members', () => observed(own, false, later).thenRecords(at(later)));
    it('not before its own newest snapshot, while history of a member is brought in', () => {
      observed(own - 9e9, true, later).thenRecords(at(own));
    });
  });

  describe('with members that run nothing', () => {
    const judged = (compliant: boolean) => ({
      judged: { compliant, policies: [], requireProvenance: false, heads: {} },
    });
    const first = (compliant: boolean | null) => {
      const { data, ...event } = recorded(1, started(A, 1, { compliant: true }));
      return { ...event, data: { ...data, ...(compliant === null ? {} : judged(compliant)) } };
    };
    const asking = (past: readonly EnvironmentEvent[], ...empty: (boolean | null)[]) => {
      const others = empty.map((compliant) => ({ ...running([]), compliant }));
      const members = [running([runs(A, { compliant: true })]), ...others];
      return spec
        .given(...past)
        .when({ members }, { at: timeAfter(past.length), recordedArtifacts: recordedAfter(past) });
    };

    it.each([
      [true, true],
      [null, null],
      [false, false],
    ])('counts each of them: with one of %s it is %s', (empty, whole) => {
      asking([logical], empty).thenRecords(first(whole));
      asking([logical, first(whole)], empty).thenNothing();
    });

    it('has a snapshot of its own where such a member alone has another verdict', () => {
      const { data, ...event } = recorded(2);
      asking([logical, first(null)], true).thenRecords({ ...event, data: { ...data, ...judged(true) } });
      asking([logical, first(true)], null).thenRecords({ ...event, data });
    });

    it("has no snapshot before anything ran, whatever the members' compliance", () => {
      const members = [{ ...running([]), compliant: true }];
      spec
        .given(logical)
        .when({ members }, { at: timeAfter(1), recordedArtifacts: [] })
        .thenNothing();
    });
  });

  it('of an archived environment is made when it is revived', () => {
    const archived = { type: 'EnvironmentArchived', version: 1, data: {} } as const;
    when([logical, archived], [runs(A)]).thenRefuses({ kind: 'environment-archived', name: 'production' });
  });

  it('ends the same for any order and repetition of the members', () => {
    const artifact = fc.record({
      fingerprint: fc.constantFrom(...['a', 'b', 'c', 'd'].map(fingerprintOf), ''),
      name: fc.constantFrom('web:1', 'api:1'),
      compliant: fc.constantFrom(true, false, null),
    });
    const namedArtifacts = artifact.map((item) => (item.fingerprint === '' ? item : { ...item, name: 'web:1' }));
    const snapshot = fc.uniqueArray(namedArtifacts, { selector: ({ fingerprint, name }) => `${fingerprint} ${name}` });
    const life = fc.array(snapshot, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(life, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (lives, order) => {
          // The state of each member when the logical environment reads it: any interleaving, also reads without a change.
          const at = lives.map(() => -1);
          let past: EnvironmentEvent[] = [logical];
          const look = () => {
            const members = at.map((i, member) =>
              running((lives[member]?.[i] ?? []).map((fields) => runs(fields.fingerprint, fields))),
            );
            const decision = decideUnite(all(past), { members }, { at: 1, recordedArtifacts: recordedAfter(past) });
            if (decision.kind === 'events') past = [...past, ...decision.events];
            return decision.kind;
          };
          for (const pick of order) {
            const member = pick % lives.length;
            at[member] = Math.min((at[member] ?? 0) + 1, (lives[member]?.length ?? 0) - 1);
            if (pick % 3 !== 0) look();
          }
          lives.forEach((life, member) => (at[member] = life.length - 1));
          look();
          expect(look()).toBe('nothing');
          const sums = recordedAfter(past).map(
            ({ fingerprint, name, compliant }) => `${fingerprint} ${name} ${compliant}`,
          );
          const expected = new Map<string, (boolean | null)[]>();
          for (const { fingerprint, name, compliant } of lives.flatMap((life) => life.at(-1) ?? [])) {
            const key = `${fingerprint} ${name}`;
            expected.set(key, [...(expected.get(key) ?? []), compliant]);
          }
          const verdict = (of: readonly (boolean | null)[]) =>
            of.includes(false) ? false : of.includes(null) ? null : true;
          expect(sums.sort()).toEqual([...expected].map(([key, of]) => `${key} ${verdict(of)}`).sort());
        },
      ),
    );
  });
});

describe('joining a logical environment', () => {
  const spec = deciderSpec({ replay: all, decide: decideJoin });
  const joined = (...includedEnvironments: string[]) =>
    ({ type: 'EnvironmentUpdated', version: 1, data: { includedEnvironments } }) as const;

  it('adds a member once', () => {
    spec
      .given(logical)
      .when({ member: 'm3' })
      .thenRecords(joined('m1', 'm2', 'm3'));
    spec
      .given(logical, joined('m1', 'm2', 'm3'))
      .when({ member: 'm3' })
      .thenNothing();
  });

  it('is refused by a physical one, and beyond the most members', () => {
    spec
      .given(environmentCreated())
      .when({ member: 'm1' })
      .thenRefuses({ kind: 'environment-not-logical', name: 'production', is: 'docker' });
    const many = Array.from({ length: MEMBERS_MAX }, (_, i) => `m${i}`);
    spec
      .given(logical, joined(...many))
      .when({ member: 'one more' })
      .thenRefuses({ kind: 'too-many-members', limit: MEMBERS_MAX });
    spec
      .given(logical, joined(...many))
      .when({ member: 'm7' })
      .thenNothing();
  });
});
