import type {
  EnvironmentEvent,
  Refreshed,
  RefreshedArtifact,
  SnapshotChange,
  SnapshotRecorded,
} from '@assurance/contracts/environments/events';
import { pausingDeciderSpec } from '@assurance/testing/deciders/decider-spec';
import {
  change,
  environmentCreated,
  factsAfter,
  fingerprintOf,
  type ProvenanceByFingerprint,
  environmentAfter,
  provenance,
  repoNamed,
  snapshotRecorded,
  timeAfter,
} from '@assurance/testing/deciders/samples';
import { decideReport } from '../write/decide-in-slices';
import type { Reported } from './difference';
import type { Report } from './report-running';

const prod = pausingDeciderSpec({ replay: environmentAfter, decide: decideReport });

const [A, B, C] = ['a', 'b', 'c'].map(fingerprintOf) as [string, string, string];
const created = environmentCreated();
const scaling = environmentCreated({ includeScaling: true });

const runs = (fingerprint: string, name: string, ...instances: number[]): Reported => ({
  fingerprint,
  name,
  instances: instances.length === 0 ? [0] : instances,
});
const report = (...artifacts: Reported[]): Report => ({ type: 'docker', artifacts });
/** In the sample streams snapshot n is commit n + 1. */
const since = (snapshot: number) => ({ snapshot, at: timeAfter(snapshot) });

/** What a report says of an artifact that runs since snapshot 1. */
const refreshed = (fingerprint: string, name: string, instances = [0], more: Partial<RefreshedArtifact> = {}) => ({
  fingerprint,
  name,
  instances,
  known: 0,
  ...more,
  since: { ...since(1), deployedAt: since(1).at / 1000 },
});
const refreshing = ({ data, ...event }: SnapshotRecorded, refreshed: Refreshed): SnapshotRecorded => ({
  ...event,
  data: { ...data, refreshed },
});

/** Given these events, when these artifacts are reported. */
const reporting = (
  past: readonly EnvironmentEvent[],
  artifacts: readonly Reported[],
  existing: ProvenanceByFingerprint = {},
) => prod.given(...past).when(report(...artifacts), factsAfter(past, existing));

describe('a report', () => {
  const web1 = change('started', { fingerprint: A, name: 'web:1', since: since(1), instances: [100] });
  const runsWeb1 = [created, snapshotRecorded(1, web1)];

  it('of the first artifacts makes snapshot 1: they started', async () => {
    await reporting([created], [runs(A, 'web:1', 100)]).thenRecords(snapshotRecorded(1, web1));
  });

  it('without artifacts, in an empty environment, changes nothing', async () => {
    await reporting([created], []).thenNothing();
  });

  it('that says the same again changes nothing', async () => {
    await reporting(runsWeb1, [runs(A, 'web:1', 100)]).thenNothing();
  });

  it('with other creation times changes nothing', async () => {
    await reporting(runsWeb1, [runs(A, 'web:1', 900)]).thenNothing();
    await reporting([scaling, snapshotRecorded(1, web1)], [runs(A, 'web:1', 900)]).thenNothing();
  });

  it('with other counts changes nothing where the environment does not include scaling', async () => {
    await reporting(runsWeb1, [runs(A, 'web:1', 100, 200)]).thenNothing();
  });

  it('with other counts makes a snapshot where the environment includes scaling', async () => {
    await reporting(
      [scaling, snapshotRecorded(1, { ...web1, instances: [90, 100], now: 2 })],
      [runs(A, 'web:1', 100, 200, 300)],
    ).thenRecords(
      snapshotRecorded(
        2,
        change('scaled', { ...web1, change: 'scaled', instances: [100, 200, 300], was: 2, now: 3, wholly: false }),
      ),
    );
  });

  it('records the instances of artifacts that keep running if these changed', async () => {
    const db = change('started', { fingerprint: B, name: 'db:1', since: since(2) });
    await reporting(runsWeb1, [runs(A, 'web:1', 900, 901), runs(B, 'db:1')]).thenRecords(
      refreshing(snapshotRecorded(2, db), { artifacts: [refreshed(A, 'web:1', [900, 901])], dropped: [] }),
    );
    await reporting(runsWeb1, [runs(A, 'web:1', 100), runs(B, 'db:1')]).thenRecords(snapshotRecorded(2, db));
  });

  it('without an artifact says that it exited', async () => {
    const db = change('started', { fingerprint: B, name: 'db:1', since: since(1) });
    await reporting([created, snapshotRecorded(1, web1, db)], [runs(B, 'db:1')]).thenRecords(
      snapshotRecorded(2, change('exited', { fingerprint: A, name: 'web:1', since: since(1), instances: [100] })),
    );
  });

  it('that is empty says that everything exited', async () => {
    const db = change('started', { fingerprint: B, name: 'db:1', since: since(1), instances: [1, 2] });
    await reporting([created, snapshotRecorded(1, web1, db)], []).thenRecords(
      snapshotRecorded(
        2,
        change('exited', { fingerprint: A, name: 'web:1', since: since(1), instances: [100] }),
        change('exited', { fingerprint: B, name: 'db:1', since: since(1), instances: [1, 2] }),
      ),
    );
  });

  it('of an artifact that is back starts it anew', async () => {
    const exit = change('exited', { fingerprint: A, name: 'web:1', since: since(1) });
    await reporting([...runsWeb1, snapshotRecorded(2, exit)], [runs(A, 'web:1')]).thenRecords(
      snapshotRecorded(3, change('started', { fingerprint: A, name: 'web:1', since: since(3) })),
    );
  });

  it('of another kind is refused, whatever its content', async () => {
    const refusal = { kind: 'environment-wrong-kind', expected: 'docker', actual: 'K8S' } as const;
    await prod
      .given(created)
      .when({ type: 'K8S', artifacts: [] }, factsAfter([created]))
      .thenRefuses(refusal);
    await prod
      .given(...runsWeb1)
      .when({ type: 'K8S', artifacts: [runs(B, 'x')] }, factsAfter(runsWeb1))
      .thenRefuses(refusal);
  });

  it('to a logical environment is refused', async () => {
    const logical = environmentCreated({ type: 'logical', includedEnvironments: [] });
    await prod
      .given(logical)
      .when(report(runs(A, 'web:1')), factsAfter([logical]))
      .thenRefuses({ kind: 'environment-wrong-kind', expected: 'logical', actual: 'docker' });
  });

  it('keeps the name that the environment has now', async () => {
    const past = [environmentCreated({ name: 'live' })];
    const recorded = snapshotRecorded(1, web1);
    await reporting(past, [runs(A, 'web:1', 100)]).thenRecords({
      ...recorded,
      data: { ...recorded.data, environment: 'live' },
    });
  });
});

describe('several names of one fingerprint', () => {
  const start = change('started', { fingerprint: A, name: 'web:1', since: since(1) });

  it('that arrive together all make it wholly new', async () => {
    const latest = { ...start, name: 'web:latest' };
    await reporting([created], [runs(A, 'web:1'), runs(A, 'web:latest')]).thenRecords(
      snapshotRecorded(1, start, latest),
    );
  });

  it('are no change, whichever of them come and go', async () => {
    const history = [created, snapshotRecorded(1, start, { ...start, name: 'web:latest' })];
    await reporting([created, snapshotRecorded(1, start)], [runs(A, 'web:2')]).thenNothing();
    await reporting([created, snapshotRecorded(1, start)], [runs(A, 'web:1'), runs(A, 'web:2')]).thenNothing();
    await reporting(history, [runs(A, 'web:1')]).thenNothing();
  });

  const db = change('started', { fingerprint: B, name: 'db', since: since(2) });

  it('are told by the next snapshot, and the start stays that of the artifact', async () => {
    await reporting([created, snapshotRecorded(1, start)], [runs(A, 'web:2'), runs(B, 'db')]).thenRecords(
      refreshing(snapshotRecorded(2, db), {
        artifacts: [refreshed(A, 'web:2', [0], { from: 'web:1', startedAs: [['web:1', 1]] })],
        dropped: [{ fingerprint: A, name: 'web:1' }],
      }),
    );
    await reporting(
      [created, snapshotRecorded(1, start)],
      [runs(A, 'web:1'), runs(A, 'web:2'), runs(B, 'db')],
    ).thenRecords(
      refreshing(snapshotRecorded(2, db), {
        artifacts: [refreshed(A, 'web:2', [0], { from: 'web:1', startedAs: [] })],
        dropped: [],
      }),
    );
    const history = [created, snapshotRecorded(1, start, { ...start, name: 'web:latest' })];
    await reporting(history, [runs(A, 'web:1'), runs(B, 'db')]).thenRecords(
      refreshing(snapshotRecorded(2, db), {
        artifacts: [
          refreshed(A, 'web:1', [0], {
            startedAs: [
              ['web:1', 1],
              ['web:latest', 1],
            ],
          }),
        ],
        dropped: [{ fingerprint: A, name: 'web:latest' }],
      }),
    );
  });

  it('leave with the artifact, under the last of them, and end what started under the first', async () => {
    const past = [
      created,
      snapshotRecorded(1, start),
      refreshing(snapshotRecorded(2, db), {
        artifacts: [refreshed(A, 'web:2', [0], { from: 'web:1', startedAs: [['web:1', 1]] })],
        dropped: [{ fingerprint: A, name: 'web:1' }],
      }),
    ];
    expect(environmentAfter(past).environment).toMatchObject({ artifacts: 2, changesSinceFull: 3 });
    await reporting(past, [runs(B, 'db')]).thenRecords(
      snapshotRecorded(
        3,
        change('exited', { fingerprint: A, name: 'web:2', since: since(1), startedAs: [['web:1', 1]] }),
      ),
    );
  });

  it('are replaced each by the same name', async () => {
    const past = [created, snapshotRecorded(1, start, { ...start, name: 'web:latest' })];
    const existing = { [A]: [provenance('a')], [B]: [provenance('b')] };
    const taken = (name: string) =>
      change('changed', { fingerprint: B, name, since: since(2), flows: expect.anything() });
    const left = (name: string, by: string) =>
      change('exited', {
        fingerprint: A,
        name,
        since: since(1),
        flows: expect.anything(),
        replacedBy: { fingerprint: B, name: by },
      });
    await reporting(past, [runs(B, 'web:2'), runs(B, 'web:latest')], existing).thenRecords(
      snapshotRecorded(
        2,
        taken('web:2'),
        taken('web:latest'),
        left('web:1', 'web:2'),
        left('web:latest', 'web:latest'),
      ),
    );
  });

  it.each([
    ['another tag', ['web:1', 'web:2'], ['web:3', 'web:4'], ['web:3', 'web:4']],
    ['the same name', ['web:1', 'web:latest'], ['web:latest'], [null, 'web:latest']],
    ['the same name without its tag', ['eu/web:1', 'us/web:1'], ['us/web:2'], [null, 'us/web:2']],
  ])('are replaced each by %s', async (_what, before, now, takenBy) => {
    const past = [created, snapshotRecorded(1, ...before.map((name) => ({ ...start, name })))];
    const repo = repoNamed('shop');
    const existing = { [A]: [provenance('a', { repo })], [B]: [provenance('b', { repo })] };
    const any = { flows: expect.anything() };
    const artifacts = now.map((name) => runs(B, name));
    const [first, ...rest] = [
      ...now.map((name) => change('changed', { fingerprint: B, name, since: since(2), ...any })),
      ...before.map((name, index) => {
        const by = takenBy[index] ?? null;
        const replacedBy = by === null ? null : { fingerprint: B, name: by };
        return change('exited', { fingerprint: A, name, since: since(1), replacedBy, ...any });
      }),
    ];
    if (first === undefined) throw new Error('nothing arrives');
    await reporting(past, artifacts, existing).thenRecords(snapshotRecorded(2, first, ...rest));
  });
});

describe('an unknown digest', () => {
  const some = change('started', { fingerprint: '', name: 'web:1', since: since(1) });
  const web = change('started', { fingerprint: A, name: 'web:1', since: since(1) });
  const api = change('started', { fingerprint: B, name: 'api:1', since: since(2) });
  const runsWeb = [created, snapshotRecorded(1, web)];

  it('alone is listed, and is neither a deployment nor a departure', async () => {
    await reporting([created], [runs('', 'web:1')]).thenRecords(snapshotRecorded(1, some));
    await reporting([created, snapshotRecorded(1, some)], []).thenRecords(
      snapshotRecorded(2, change('exited', { fingerprint: '', name: 'web:1', since: since(1) })),
    );
    expect(some.wholly).toBe(false);
  });

  it('that becomes known starts an artifact', async () => {
    await reporting([created, snapshotRecorded(1, some)], [runs(A, 'web:1')]).thenRecords(
      snapshotRecorded(
        2,
        change('started', { fingerprint: A, name: 'web:1', since: since(2) }),
        change('exited', { fingerprint: '', name: 'web:1', since: since(1) }),
      ),
    );
  });

  it('of a name under which an artifact is known means that artifact', async () => {
    await reporting(runsWeb, [runs('', 'web:1')]).thenNothing();
    await reporting(runsWeb, [runs(A, 'web:1'), runs('', 'web:1')]).thenNothing();
    await reporting([created], [runs(A, 'web:1'), runs('', 'web:1')]).thenRecords(snapshotRecorded(1, web));
    await reporting(runsWeb, [runs('', 'web:1', 900), runs(B, 'api:1')]).thenRecords(
      refreshing(snapshotRecorded(2, api), { artifacts: [refreshed(A, 'web:1', [900])], dropped: [] }),
    );
  });

  it('is an instance of an artifact that lacks one, where counts matter', async () => {
    const started = (fingerprint: string, instances: readonly number[]) =>
      change('started', { fingerprint, name: 'web:1', since: since(1), instances, now: instances.length });
    const two = started(A, [1, 2]);
    const ran = [scaling, snapshotRecorded(1, two)];
    await reporting(ran, [runs(A, 'web:1', 1), runs('', 'web:1', 2)]).thenNothing();
    await reporting(ran, [runs('', 'web:1', 1, 2)]).thenNothing();
    await reporting(ran, [runs(A, 'web:1', 1, 2), runs('', 'web:1', 3)]).thenNothing();
    const three = [scaling, snapshotRecorded(1, started(A, [1, 2, 3]))];
    await reporting(three, [runs(A, 'web:1', 5, 7), runs('', 'web:1', 6), runs(B, 'api:1')]).thenRecords(
      refreshing(snapshotRecorded(2, api), { artifacts: [refreshed(A, 'web:1', [5, 6, 7])], dropped: [] }),
    );
    const scaled = { ...two, change: 'scaled', was: 2, wholly: false } as const;
    await reporting(ran, [runs('', 'web:1', 1)]).thenRecords(
      snapshotRecorded(2, change('scaled', { ...scaled, instances: [1], now: 1 })),
    );
    await reporting(ran, [runs('', 'web:1', 1, 2, 3)]).thenRecords(
      snapshotRecorded(2, change('scaled', { ...scaled, instances: [1, 2, 3], now: 3 })),
    );
    // Two artifacts of one name share the instances. Each goes on, even if there is one instance for both.
    const both = [scaling, snapshotRecorded(1, started(A, [1, 2]), started(B, [3]))];
    await reporting(both, [runs('', 'web:1', 1, 2, 3)]).thenNothing();
    await reporting(both, [runs(B, 'web:1', 3), runs('', 'web:1', 1, 2)]).thenNothing();
    await reporting(
      [scaling, snapshotRecorded(1, started(A, [1]), started(B, [3]))],
      [runs('', 'web:1', 1)],
    ).thenNothing();
  });

  it('of another name stops nothing from leaving', async () => {
    await reporting(runsWeb, [runs('', 'api:1')]).thenRecords(
      snapshotRecorded(
        2,
        change('started', { fingerprint: '', name: 'api:1', since: since(2) }),
        change('exited', { fingerprint: A, name: 'web:1', since: since(1) }),
      ),
    );
  });
});

describe('an artifact that takes another one’s place', () => {
  const ran = (fingerprint: string, name: string, snapshot: number, instances = [1]) =>
    snapshotRecorded(snapshot, change('started', { fingerprint, name, since: since(snapshot), instances }));
  const any = { flows: expect.anything() };
  const shop = repoNamed('shop');

  it('of the same template in the same flow of one repository has changed, from the count that left', async () => {
    await reporting([created, ran(A, 'old/web:1', 1, [1, 2, 3])], [runs(B, 'new/web:2', 9, 9)], {
      [A]: [provenance('a', { repo: shop })],
      [B]: [provenance('b', { repo: shop })],
    }).thenRecords(
      snapshotRecorded(
        2,
        change('changed', {
          fingerprint: B,
          name: 'new/web:2',
          since: since(2),
          instances: [9, 9],
          was: 3,
          now: 2,
          ...any,
        }),
        change('exited', {
          fingerprint: A,
          name: 'old/web:1',
          since: since(1),
          instances: [1, 2, 3],
          replacedBy: { fingerprint: B, name: 'new/web:2' },
          ...any,
        }),
      ),
    );
  });

  const pair = (existing: ProvenanceByFingerprint, before = 'web:1', now = 'web:2') =>
    reporting([created, ran(A, before, 1)], [runs(B, now)], existing);
  const replaced = (before = 'web:1', now = 'web:2') =>
    snapshotRecorded(
      2,
      change('changed', { fingerprint: B, name: now, since: since(2), ...any }),
      change('exited', {
        fingerprint: A,
        name: before,
        since: since(1),
        instances: [1],
        replacedBy: { fingerprint: B, name: now },
        ...any,
      }),
    );
  const unrelated = (before = 'web:1', now = 'web:2') =>
    snapshotRecorded(
      2,
      change('started', { fingerprint: B, name: now, since: since(2), ...any }),
      change('exited', { fingerprint: A, name: before, since: since(1), instances: [1], ...any }),
    );

  it('is found by repository and name without tag, when the templates differ', async () => {
    const of = (artifact: string, template: string | null) => [provenance(artifact, { template, repo: shop })];
    await pair({ [A]: of('a', 'web'), [B]: of('b', 'site') }).thenRecords(replaced());
    await pair({ [A]: of('a', null), [B]: of('b', null) }).thenRecords(replaced());
  });

  it('is not found by another name or another repository', async () => {
    const of = (artifact: string, repo = shop) => [provenance(artifact, { template: null, repo })];
    await pair({ [A]: of('a'), [B]: of('b') }, 'web:1', 'api:1').thenRecords(unrelated('web:1', 'api:1'));
    await pair({ [A]: of('a'), [B]: of('b', repoNamed('other')) }).thenRecords(unrelated());
  });

  it('is found by name alone where a repository is unknown', async () => {
    await pair({ [A]: [provenance('a', { repo: shop })] }).thenRecords(replaced());
    await pair({ [B]: [provenance('b', { repo: shop })] }).thenRecords(replaced());
    await pair({}).thenRecords(replaced());
    await pair({}, 'docker.io/library/web:1', 'web:2').thenRecords(replaced('docker.io/library/web:1', 'web:2'));
    await pair({}, 'web:1', 'api:1').thenRecords(unrelated('web:1', 'api:1'));
  });

  it('is not found by the template of another flow, nor by a missing one', async () => {
    const flow = { id: 'flow-other', name: 'other' };
    const of = (artifact: string, fields: object) => [provenance(artifact, { repo: shop, ...fields })];
    const names = ['web:1', 'api:1'] as const;
    await pair({ [A]: of('a', {}), [B]: of('b', { flow }) }, ...names).thenRecords(unrelated(...names));
    await pair({ [A]: of('a', { template: null }), [B]: of('b', { template: null }) }, ...names).thenRecords(
      unrelated(...names),
    );
  });

  it('goes by the first flow in which each was reported', async () => {
    const flow = { id: 'flow-other', name: 'other' };
    const [first, second] = [provenance('b', { repo: shop, flow }), provenance('b', { repo: shop })];
    const names = ['web:1', 'api:1'] as const;
    const past = [provenance('a', { repo: shop })];
    await pair({ [A]: past, [B]: [first, second] }, ...names).thenRecords(unrelated(...names));
    await pair({ [A]: past, [B]: [second, first] }, ...names).thenRecords(replaced(...names));
  });

  it('takes the newest if several left; the others exited', async () => {
    const existing = { [A]: [provenance('a')], [B]: [provenance('b')], [C]: [provenance('c')] };
    await reporting([created, ran(B, 'web:1', 1), ran(A, 'web:2', 2)], [runs(C, 'web:3')], existing).thenRecords(
      snapshotRecorded(
        3,
        change('changed', { fingerprint: C, name: 'web:3', since: since(3), ...any }),
        change('exited', { fingerprint: B, name: 'web:1', since: since(1), instances: [1], ...any }),
        change('exited', {
          fingerprint: A,
          name: 'web:2',
          since: since(2),
          instances: [1],
          replacedBy: { fingerprint: C, name: 'web:3' },
          ...any,
        }),
      ),
    );
  });

  it('prefers the name over the newest of the template', async () => {
    const existing = Object.fromEntries(
      [A, B, C].map((fingerprint, i) => [fingerprint, [provenance(`${i}`, { repo: shop })]]),
    );
    await reporting([created, ran(A, 'web:1', 1), ran(B, 'api:1', 2)], [runs(C, 'web:2')], existing).thenRecords(
      snapshotRecorded(
        3,
        change('changed', { fingerprint: C, name: 'web:2', since: since(3), ...any }),
        change('exited', {
          fingerprint: A,
          name: 'web:1',
          since: since(1),
          instances: [1],
          replacedBy: { fingerprint: C, name: 'web:2' },
          ...any,
        }),
        change('exited', { fingerprint: B, name: 'api:1', since: since(2), instances: [1], ...any }),
      ),
    );
  });

  it('gives its place to one of two that arrive: the other has started', async () => {
    await reporting([created, ran(A, 'web:1', 1)], [runs(C, 'web:2'), runs(B, 'web:3')], {}).thenRecords(
      snapshotRecorded(
        2,
        change('changed', { fingerprint: C, name: 'web:2', since: since(2), ...any }),
        change('started', { fingerprint: B, name: 'web:3', since: since(2), ...any }),
        change('exited', {
          fingerprint: A,
          name: 'web:1',
          since: since(1),
          instances: [1],
          replacedBy: { fingerprint: C, name: 'web:2' },
          ...any,
        }),
      ),
    );
  });
});

describe('a report after another type', () => {
  const web1 = change('started', { fingerprint: A, name: 'web:1', since: since(1), instances: [100] });
  const archived: EnvironmentEvent = { type: 'EnvironmentArchived', version: 1, data: {} };
  const revived: EnvironmentEvent = { type: 'EnvironmentRevived', version: 1, data: { type: 'server' } };
  const past = [created, snapshotRecorded(1, web1), archived, revived];
  const later = { snapshot: 2, at: timeAfter(4) };
  const server = (...changes: SnapshotChange[]): EnvironmentEvent => ({
    type: 'SnapshotRecorded',
    version: 1,
    data: {
      snapshot: 2,
      environment: 'production',
      type: 'server',
      changes,
      afresh: 'docker',
      observedAt: later.at,
      previousReportAt: null,
    },
  });
  const exit = change('exited', { fingerprint: A, name: 'web:1', since: since(1), instances: [100] });
  const reportingServer = (events: readonly EnvironmentEvent[], ...artifacts: Reported[]) =>
    prod.given(...events).when({ type: 'server', artifacts }, factsAfter(events, {}));

  it('starts from nothing: even what ran before starts again', async () => {
    const started = change('started', {
      fingerprint: A,
      name: 'web:1',
      since: later,
      instances: [100],
      kind: 'baseline',
    });
    await reportingServer(past, runs(A, 'web:1', 100)).thenRecords(server(exit, started) as SnapshotRecorded);
  });

  it('replaces no earlier artifact', async () => {
    const existing: ProvenanceByFingerprint = { [A]: [provenance('a')], [B]: [provenance('b')] };
    const decision = await decideReport(
      environmentAfter(past),
      { type: 'server', artifacts: [runs(B, 'web:2', 200)] },
      factsAfter(past, existing),
    );
    const [recorded] = decision.kind === 'events' ? decision.events : [];
    expect(recorded?.data).toMatchObject({
      afresh: 'docker',
      changes: [
        { change: 'exited', name: 'web:1', replacedBy: null },
        { change: 'started', name: 'web:2', was: 0, now: 1, wholly: true },
      ],
    });
  });

  it('without artifacts records that all have left', async () => {
    await reportingServer(past).thenRecords(server(exit) as SnapshotRecorded);
  });

  it('without artifacts, where none ran, changes nothing', async () => {
    await reportingServer([created, archived, revived]).thenNothing();
  });

  it('of the former type is refused, unless that came back', async () => {
    await prod
      .given(...past)
      .when(report(), factsAfter(past))
      .thenRefuses({ kind: 'environment-wrong-kind', expected: 'server', actual: 'docker' });
    const back: EnvironmentEvent = { type: 'EnvironmentRevived', version: 1, data: { type: 'docker' } };
    await reporting([...past, archived, back], [runs(A, 'web:1', 100)]).thenNothing();
  });
});
