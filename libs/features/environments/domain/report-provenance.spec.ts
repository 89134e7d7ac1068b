import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { Provenance } from '@assurance/contracts/flows/events';
import {
  change,
  commitAt,
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
import type { ReportFacts } from './facts';

const [A, B, C] = ['a', 'b', 'c'].map(fingerprintOf) as [string, string, string];
const created = environmentCreated();
const runs = (fingerprint: string, name: string, ...instances: number[]): Reported => ({
  fingerprint,
  name,
  instances: instances.length === 0 ? [0] : instances,
});
/** In the sample streams snapshot n is commit n + 1. */
const since = (snapshot: number) => ({ snapshot, at: timeAfter(snapshot) });

/** Before the first event, in epoch seconds. */
const T = 1_600_000_000;

describe('the provenance kept with a snapshot', () => {
  /** The flows of B, which starts after A ran under `web:1`, or of B alone. */
  const flowsOfB = async (
    past: readonly EnvironmentEvent[],
    artifacts: readonly Reported[],
    existing: ProvenanceByFingerprint,
    stateOf: ReportFacts['stateOf'] = () => null,
  ) => {
    const facts = { ...factsAfter(past, existing), stateOf };
    const decision = await decideReport(environmentAfter(past), { type: 'docker', artifacts }, facts);
    const [recorded] = decision.kind === 'events' ? decision.events : [];
    if (recorded?.type !== 'SnapshotRecorded') throw new Error('no snapshot was recorded');
    return recorded.data.changes.find(({ fingerprint }) => fingerprint === B)?.flows;
  };
  const lead = async (timestamp: number | null | 'no commit', ...instances: number[]) =>
    (
      await flowsOfB([created], [runs(B, 'web:2', ...instances)], {
        [B]: [provenance('b', { commit: timestamp === 'no commit' ? null : commitAt(timestamp) })],
      })
    )?.map(({ leadTime }) => leadTime);

  it('has one entry a flow and trail, first report first', async () => {
    const [first, second] = [provenance('b'), provenance('b', { trail: 'again', flow: { id: 'flow-b', name: 'b' } })];
    expect(await flowsOfB([created], [runs(B, 'web:2')], { [B]: [first, second] })).toEqual([
      { ...first, leadTime: null, deploymentDiff: null },
      { ...second, leadTime: null, deploymentDiff: null },
    ]);
  });

  it('counts the lead time in seconds from the commit to the earliest instance', async () => {
    expect(await lead(T, T + 900, T + 600, T + 700)).toEqual([600]);
  });

  it('counts to the report where the commit is later than the creation', async () => {
    expect(await lead(T + 1_000, T + 900)).toEqual([timeAfter(1) / 1000 - T - 1_000]);
  });

  it('has no lead time without a commit, or where its time is unknown or later than the report', async () => {
    expect(await lead('no commit', T)).toEqual([null]);
    for (const time of [null, 0, -62_135_596_800, 315_532_800, timeAfter(2)])
      expect(await lead(time, T)).toEqual([null]);
  });

  it('counts to the report when no creation time is known, and passes over those that are not', async () => {
    expect(await lead(T, 0, 315_532_800)).toEqual([timeAfter(1) / 1000 - T]);
    expect(await lead(T, 0, T + 700)).toEqual([700]);
  });

  it('counts to the report before where the container is older', async () => {
    const past = [created, snapshotRecorded(1, change('started', { fingerprint: A, name: 'web:1', since: since(1) }))];
    const existing = { [B]: [provenance('b', { commit: commitAt(T) })] };
    expect((await flowsOfB(past, [runs(B, 'web:1', T - 864_000)], existing))?.[0]?.leadTime).toBe(
      timeAfter(1) / 1000 - T,
    );
  });

  it('always counts to the start, however the artifact scales', async () => {
    const existing = { [B]: [provenance('b', { commit: commitAt(T) })] };
    const scaling = environmentCreated({ includeScaling: true });
    const started = change('started', { fingerprint: B, name: 'web:2', since: since(1), instances: [T + 600] });
    const past = [scaling, snapshotRecorded(1, started)];
    for (const artifacts of [[runs(B, 'web:2', T + 900, T + 1_000)], []]) {
      expect((await flowsOfB(past, artifacts, existing))?.map(({ leadTime }) => leadTime)).toEqual([600]);
    }
  });

  it('counts each flow’s lead time from its own commit', async () => {
    const existing = [T, T + 500].map((time) => provenance('b', { trail: `t${time}`, commit: commitAt(time) }));
    expect(
      (await flowsOfB([created], [runs(B, 'web:2', T + 600)], { [B]: existing }))?.map(({ leadTime }) => leadTime),
    ).toEqual([600, 100]);
  });

  describe('says what came before it in its flow:', () => {
    const shop = repoNamed('shop');
    const ofA = provenance('a', { repo: shop, commitUrl: 'https://c/a' });
    const ofB = provenance('b', { repo: shop });
    const a = change('started', { fingerprint: A, name: 'web:1', since: since(1) });
    const existing: ProvenanceByFingerprint = { [A]: [ofA], [B]: [ofB] };
    const withProvenance = [
      created,
      snapshotRecorded(1, { ...a, flows: [{ ...ofA, leadTime: null, deploymentDiff: null }] }),
    ];
    const withoutProvenance = [created, snapshotRecorded(1, a)];
    const previous = {
      fingerprint: A,
      name: 'web:1',
      gitCommit: ofA.gitCommit,
      commitUrl: 'https://c/a',
      trail: 'build-a',
      template: 'web',
    };
    const diffUrl = `https://github.com/acme/shop/compare/${ofA.gitCommit}...${ofB.gitCommit}`;
    const diffOf = async (past: readonly EnvironmentEvent[], artifacts: readonly Reported[], of = existing) =>
      (await flowsOfB(past, artifacts, of))?.map(({ deploymentDiff }) => deploymentDiff);

    it('what left', async () => {
      expect(await diffOf(withProvenance, [runs(B, 'web:2')])).toEqual([{ diffUrl, previous: previous }]);
    });

    it('the status of the artifact before it, if something judges', async () => {
      const requests: unknown[] = [];
      const flows = await flowsOfB(withProvenance, [runs(B, 'web:2')], existing, (one) => {
        requests.push([one.fingerprint, one.flow, one.trail]);
        return 'INCOMPLETE';
      });
      expect(flows?.[0]?.deploymentDiff).toEqual({ diffUrl, previous: { ...previous, state: 'INCOMPLETE' } });
      expect(requests).toEqual([[A, ofA.flow.id, 'build-a']]);
    });

    it('what still runs', async () => {
      expect(await diffOf(withProvenance, [runs(A, 'web:1'), runs(B, 'web:2')])).toEqual([
        { diffUrl, previous: previous },
      ]);
    });

    it('what left long ago', async () => {
      const exit = change('exited', { ...a, change: 'exited', was: 1, now: 0 });
      expect(await diffOf([...withProvenance, snapshotRecorded(2, exit)], [runs(B, 'web:2')])).toEqual([
        { diffUrl, previous: previous },
      ]);
    });

    it('an artifact that left, although its provenance arrived after its start', async () => {
      expect(await diffOf(withoutProvenance, [runs(B, 'web:2')])).toEqual([{ diffUrl, previous: previous }]);
    });

    it('the newest, if several ran', async () => {
      const ofC = provenance('c', { repo: shop });
      const c = change('started', {
        fingerprint: C,
        name: 'web:c',
        since: since(2),
        flows: [{ ...ofC, leadTime: null, deploymentDiff: null }],
      });
      const past = [...withProvenance, snapshotRecorded(2, c)];
      expect(await diffOf(past, [runs(B, 'web:2')], { ...existing, [C]: [ofC] })).toEqual([
        expect.objectContaining({ previous: expect.objectContaining({ fingerprint: C }) }),
      ]);
    });

    it('the artifact that ran until now, rather than one that started later and left long ago', async () => {
      const ofC = provenance('c', { repo: shop });
      const c = change('started', {
        fingerprint: C,
        name: 'web:c',
        since: since(2),
        flows: [{ ...ofC, leadTime: null, deploymentDiff: null }],
      });
      const past = [
        ...withProvenance,
        snapshotRecorded(2, c),
        snapshotRecorded(3, change('exited', { ...c, was: 1, now: 0, change: 'exited' })),
      ];
      expect(await diffOf(past, [runs(B, 'web:2')], { ...existing, [C]: [ofC] })).toEqual([{ diffUrl, previous }]);
    });

    it('the artifact before it, although that left and came back since', async () => {
      const again = { ...a, flows: [{ ...ofA, leadTime: null, deploymentDiff: null }] };
      const b = change('started', {
        fingerprint: B,
        name: 'web:2',
        since: since(2),
        flows: [{ ...ofB, leadTime: null, deploymentDiff: null }],
      });
      const past = [
        ...withProvenance,
        snapshotRecorded(2, b, { ...again, change: 'exited', was: 1, now: 0 }),
        snapshotRecorded(3, { ...again, since: { ...since(3), deployedAt: 3 } }),
      ];
      expect(await diffOf(past, [runs(A, 'web:1')])).toEqual([{ diffUrl, previous }]);
    });

    it('never itself', async () => {
      const first = change('started', {
        fingerprint: B,
        name: 'web:2',
        since: since(1),
        flows: [{ ...ofB, leadTime: null, deploymentDiff: null }],
      });
      const exit = change('exited', { ...first, change: 'exited', was: 1, now: 0 });
      expect(
        await diffOf([created, snapshotRecorded(1, first), snapshotRecorded(2, exit)], [runs(B, 'web:2')]),
      ).toEqual([null]);
    });

    it('never what started later, when both leave', async () => {
      const b = change('started', { fingerprint: B, name: 'web:2', since: since(1) });
      const later = change('started', { ...a, change: 'started', since: since(2) });
      expect(await diffOf([created, snapshotRecorded(1, b), snapshotRecorded(2, later)], [])).toEqual([null]);
    });

    it('nothing of the same snapshot, of another flow or template, or of an artifact without a template', async () => {
      expect(await diffOf([created], [runs(A, 'web:1'), runs(B, 'web:2')])).toEqual([null]);
      const but = (fields: Partial<Provenance>) =>
        diffOf(withProvenance, [runs(B, 'web:2')], { ...existing, [B]: [{ ...ofB, ...fields }] });
      expect(await but({ flow: { id: 'flow-other', name: 'other' } })).toEqual([null]);
      expect(await but({ template: 'site' })).toEqual([null]);
      expect(await but({ template: null })).toEqual([null]);
    });

    it('without a link when the repository is another one or unknown', async () => {
      const but = (repo: Provenance['repo']) =>
        diffOf(withProvenance, [runs(B, 'web:2')], { ...existing, [B]: [{ ...ofB, repo }] });
      const unlinked = [{ diffUrl: null, previous: previous }];
      expect(await but(repoNamed('other'))).toEqual(unlinked);
      expect(await but(null)).toEqual(unlinked);
    });
  });
});
