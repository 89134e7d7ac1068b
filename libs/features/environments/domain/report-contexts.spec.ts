import type { EnvironmentEvent, InstanceContext, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { pausingDeciderSpec } from '@assurance/testing/deciders/decider-spec';
import {
  change,
  environmentCreated,
  factsAfter,
  fingerprintOf,
  environmentAfter,
  snapshotRecorded,
  timeAfter,
} from '@assurance/testing/deciders/samples';
import { collectInSlices, decideReport } from '../write/decide-in-slices';
import type { Reported } from './difference';

const cluster = pausingDeciderSpec({ replay: environmentAfter, decide: decideReport });
const [A, B] = ['a', 'b'].map(fingerprintOf) as [string, string];
const pod = (name: string): InstanceContext => ({ of: 'pod', pod: name, namespace: 'shop', owners: null });
const since = (snapshot: number) => ({ snapshot, at: timeAfter(snapshot) });
const runs = (fingerprint: string, instances: readonly number[], pods: readonly string[]): Reported => ({
  fingerprint,
  name: 'web',
  instances,
  contexts: pods.map(pod),
});
const web = change('started', {
  fingerprint: A,
  name: 'web',
  since: since(1),
  instances: [7],
  contexts: [pod('web-0')],
});
const recorded = (snapshot: number, ...changes: Parameters<typeof snapshotRecorded>[1][]): SnapshotRecorded => {
  const event = snapshotRecorded(snapshot, ...changes);
  return { ...event, data: { ...event.data, type: 'K8S' } };
};
const reporting = (past: readonly EnvironmentEvent[], ...artifacts: readonly Reported[]) =>
  cluster.given(...past).when({ type: 'K8S', artifacts }, factsAfter(past));

describe('the details of instances in a report', () => {
  const created = environmentCreated({ type: 'K8S' });
  const scaling = environmentCreated({ type: 'K8S', includeScaling: true });

  it('is recorded with an artifact that starts', async () => {
    await reporting([created], runs(A, [7], ['web-0'])).thenRecords(recorded(1, web));
  });

  it('is never compared', async () => {
    for (const first of [created, scaling]) {
      await reporting([first, recorded(1, web)], runs(A, [9], ['web-1'])).thenNothing();
      await reporting([first, recorded(1, web)], { fingerprint: A, name: 'web', instances: [9] }).thenNothing();
    }
  });

  it('is recorded anew when an artifact scales', async () => {
    await reporting([scaling, recorded(1, web)], runs(A, [7, 9], ['web-0', 'web-1'])).thenRecords(
      recorded(
        2,
        change('scaled', {
          ...web,
          change: 'scaled',
          instances: [7, 9],
          contexts: [pod('web-0'), pod('web-1')],
          was: 1,
          now: 2,
          wholly: false,
        }),
      ),
    );
  });

  it('is recorded for an artifact that stays and differs from the record, and for none that exits', async () => {
    const { contexts: _, ...bare } = web;
    await reporting([created, recorded(1, web)]).thenRecords(
      recorded(2, { ...bare, change: 'exited', was: 1, now: 0 }),
    );
    const started = recorded(
      2,
      change('started', { fingerprint: B, name: 'db', since: since(2), contexts: [pod('db-0')] }),
    );
    const stays = {
      fingerprint: A,
      name: 'web',
      instances: [9],
      contexts: [pod('web-9')],
      known: 0,
      since: { ...since(1), deployedAt: since(1).at / 1000 },
    };
    await reporting([created, recorded(1, web)], runs(A, [9], ['web-9']), {
      ...runs(B, [0], ['db-0']),
      name: 'db',
    }).thenRecords({ ...started, data: { ...started.data, refreshed: { artifacts: [stays], dropped: [] } } });
    await reporting([created, recorded(1, web)], runs(A, [7], ['web-0']), {
      ...runs(B, [0], ['db-0']),
      name: 'db',
    }).thenRecords(started);
  });

  it('is refused with the rest by an environment of another kind', async () => {
    const past = [environmentCreated({ type: 'ECS' })];
    await cluster
      .given(...past)
      .when({ type: 'K8S', artifacts: [runs(A, [7], ['web-0'])] }, factsAfter(past))
      .thenRefuses({ kind: 'environment-wrong-kind', expected: 'ECS', actual: 'K8S' });
  });

  it('stays in the full states that follow', async () => {
    const turns = Array.from({ length: 34 }, (_, i) => {
      const at = i + 2;
      const start = change('started', { fingerprint: fingerprintOf(`${at}`), name: 'log', since: since(at) });
      const exit = change('exited', { fingerprint: fingerprintOf(`${at - 1}`), name: 'log', since: since(at - 1) });
      return recorded(at, start, ...(i === 0 ? [] : [exit]));
    });
    const past = [created, recorded(1, web), ...turns];
    const state = environmentAfter(past);
    const decided = await decideReport(
      state,
      { type: 'K8S', artifacts: [runs(A, [9], ['web-9']), { ...runs(B, [1], ['db-0']), name: 'db' }] },
      factsAfter(past),
    );
    const stateKept =
      decided.kind === 'events' ? decided.events.find(({ type }) => type === 'SnapshotStateKept') : null;
    expect(stateKept).toMatchObject({
      data: {
        artifacts: expect.arrayContaining([
          expect.objectContaining({ name: 'web', contexts: [pod('web-9')] }),
          expect.objectContaining({ name: 'db', contexts: [pod('db-0')] }),
        ]),
      },
    });
  });
});

const T = 1_700_000_000;

describe('the items of a report', () => {
  it('keep what is said of each instance beside its time', async () => {
    const digests = Object.entries({ web: 'aa', log: 'bb' });
    expect(
      await collectInSlices([
        { digests, creationTimestamp: T + 30, context: pod('web-2') },
        { digests: [['web', 'aa']], creationTimestamp: 0, context: pod('web-0') },
        { digests: [['web', 'aa']], creationTimestamp: T + 30, context: pod('web-1') },
      ]),
    ).toEqual([
      {
        fingerprint: 'aa',
        name: 'web',
        instances: [0, T + 30, T + 30],
        contexts: [pod('web-0'), pod('web-2'), pod('web-1')],
      },
      { fingerprint: 'bb', name: 'log', instances: [T + 30], contexts: [pod('web-2')] },
    ]);
  });
});
