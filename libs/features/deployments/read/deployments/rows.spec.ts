import type { SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import type { ArtifactReported, Provenance } from '@assurance/contracts/flows/events';
import fc from 'fast-check';
import { firstOf, type Origin, originOf } from './origin';
import { reportOf, rowsOf } from './rows';

const change = (name: string, fields: Partial<SnapshotChange> = {}): SnapshotChange => ({
  change: 'started',
  fingerprint: 'f1',
  name,
  instances: [5],
  compliant: true,
  since: { snapshot: 3, at: 1, deployedAt: 5 },
  flows: [],
  was: 0,
  now: 1,
  wholly: true,
  replacedBy: null,
  ...fields,
});
const meta = { org: 'o', stream: 'environment/e', seq: 4, at: 7_000, actor: 'x' };
const recorded = (...changes: readonly SnapshotChange[]): SnapshotRecorded => ({
  type: 'SnapshotRecorded',
  version: 1,
  data: { snapshot: 3, environment: 'production', type: 'docker', changes, observedAt: 7_000, previousReportAt: 6_000 },
});
const rows = async (...changes: readonly SnapshotChange[]) => {
  const { deployments, departures } = await rowsOf(recorded(...changes), meta, null);
  return { deployments: Object.fromEntries(deployments), departures: Object.fromEntries(departures) };
};
const exited = { change: 'exited', was: 1, now: 0, since: { snapshot: 2, at: 1, deployedAt: 4 } } as const;
const earlier = { since: { snapshot: 3, at: 1, deployedAt: 2 } };
const common = { org: 'o', environment: 'e', snapshot: 3, fingerprint: 'f1', origin: null };
const deployment = { ...common, environmentName: 'production', namedAt: 4, compliant: true, kind: 'first' };
const at = (seconds: number) => 1_700_000_000 + seconds;

describe('rows of a snapshot', () => {
  it('of a started artifact are one deployment', async () => {
    expect(await rows(change('shop/web:1'))).toEqual({
      deployments: { 'e/3/f1': { ...deployment, name: 'shop/web:1', base: 'shop/web', deployedAt: 5 } },
      departures: {},
    });
  });

  it('of an exited artifact are one departure, with its name without tag', async () => {
    expect(await rows(change('shop/web:1', exited))).toEqual({
      deployments: {},
      departures: { 'e/3/f1': { ...common, name: 'shop/web:1', base: 'shop/web', since: 2 } },
    });
  });

  it('are none for an artifact that still runs or ran before under another name', async () => {
    expect(await rows(change('shop/web:1', { wholly: false }))).toEqual({ deployments: {}, departures: {} });
  });

  it('have a fingerprint with several names once, by the name of its earliest instance', async () => {
    const { deployments } = await rows(change('shop/web:1'), change('shop/web:old', earlier));
    expect(deployments).toEqual({ 'e/3/f1': { ...deployment, name: 'shop/web:old', base: 'shop/web', deployedAt: 2 } });
  });

  it('are the same for changes in any order, and for the same event again', async () => {
    const all = [
      change('a'),
      change('b', earlier),
      change('c', earlier),
      change('d', { fingerprint: 'f2' }),
      change('e', { ...exited, fingerprint: 'f3' }),
    ];
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
    const same = fc.asyncProperty(shuffled, async (changes) =>
      expect(await rows(...changes)).toEqual(await rows(...all)),
    );
    await fc.assert(same);
  });
});

describe('a deployment', () => {
  const firstRow = async (data: Partial<SnapshotRecorded['data']>, previous: number | null) => {
    const event = recorded(change('web:1', { since: { snapshot: 3, at: 1, deployedAt: at(0) } }));
    const { deployments } = await rowsOf(
      { ...event, data: { ...event.data, ...data } },
      { ...meta, at: at(100) * 1_000 },
      previous,
    );
    return [...deployments.values()].map(({ kind, deployedAt }) => [kind, deployedAt - at(0)])[0];
  };
  const earlier = { observedAt: undefined, previousReportAt: undefined } as unknown as Partial<
    SnapshotRecorded['data']
  >;

  it('is a baseline in the snapshot of the first report, and keeps the start of its event', async () => {
    expect(await firstRow({ previousReportAt: null }, null)).toEqual(['baseline', 0]);
    expect(await firstRow({}, null)).toEqual(['first', 0]);
    expect(await firstRow({ afresh: 'K8S' }, null)).toEqual(['first', 0]);
  });

  it('of an earlier version is held between the snapshot before and its own, and a baseline in the first', async () => {
    expect(await firstRow(earlier, at(60) * 1_000)).toEqual(['first', 60]);
    expect(await firstRow({ ...earlier, snapshot: 1 }, null)).toEqual(['baseline', 0]);
    expect(await firstRow({ ...earlier, afresh: 'K8S' }, at(60) * 1_000)).toEqual(['baseline', 0]);
  });

  it('is replaced by nothing where all starts from nothing', async () => {
    const event = recorded(change('web:1', exited));
    const { departures } = await rowsOf({ ...event, data: { ...event.data, afresh: 'K8S' } }, meta, null);
    expect(departures.size).toBe(0);
  });
});

describe('the origin of an artifact', () => {
  const origin = (artifactId: string, reportedAt: number) => ({ artifactId, reportedAt }) as Provenance;

  it('is the first report of its stream, also when a later one is delivered', () => {
    const [first, second] = [origin('a', 1), origin('a', 2)];
    const event = (provenance: Provenance, existing: Provenance | null) =>
      ({ type: 'ArtifactReported', data: { fingerprint: 'f1', provenance, first: existing } }) as ArtifactReported;
    const row = ['f1@a', { org: 'o', fingerprint: 'f1', origin: first }];
    expect(reportOf(event(first, null), { ...meta, stream: 'trail/t' })).toEqual(row);
    expect(reportOf(event(second, first), { ...meta, stream: 'trail/t' })).toEqual(row);
  });

  it('is kept in rows without what only the report has', () => {
    const storedProvenance = { artifactId: 'a', flow: { id: 'f', name: 'shop' }, template: 'web', reportedAt: 1 };
    const [repo, commit] = [{ id: 'r' }, { timestamp: 5 }];
    const reported = {
      ...storedProvenance,
      repo: { ...repo, name: 'acme/shop' },
      commit: { ...commit, message: 'm' },
      trail: 't',
    };
    expect(originOf(reported as unknown as Provenance)).toEqual({ ...storedProvenance, repo, commit });
    expect(originOf({ ...storedProvenance, repo: null, commit: null } as Provenance)).toEqual({
      ...storedProvenance,
      repo: null,
      commit: null,
    });
  });

  it('is the earliest report of all streams, by time and then id, in any order of delivery and with repeats', () => {
    const all = [origin('c', 2), origin('b', 1), origin('a', 1), origin('d', 3)];
    const delivered = fc
      .array(fc.constantFrom(...all), { maxLength: 6 })
      .chain((again) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }));
    const folded = (reports: readonly Origin[]) => reports.reduce<Origin | null>(firstOf, null);
    fc.assert(fc.property(delivered, (reports) => expect(folded(reports)).toEqual(origin('a', 1))));
  });
});
