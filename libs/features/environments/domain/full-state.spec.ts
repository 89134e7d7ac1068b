import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
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
import { decideReport } from '../write/decide-in-slices';
import type { Reported } from './difference';
import { fullIsDue } from './snapshot-of';

const prod = pausingDeciderSpec({ replay: environmentAfter, decide: decideReport });
const created = environmentCreated();
const A = fingerprintOf('a');
const since = (snapshot: number) => ({ snapshot, at: timeAfter(snapshot) });

/** Given these events, when these artifacts are reported. */
const reporting = (past: readonly EnvironmentEvent[], artifacts: readonly Reported[]) =>
  prod.given(...past).when({ type: 'docker', artifacts }, factsAfter(past));

describe('the full state', () => {
  /** n snapshots in which web is replaced: 2 changes each but the first. */
  const turns = (count: number): EnvironmentEvent[] =>
    Array.from({ length: count }, (_, index) => {
      const [now, before] = [index + 1, index];
      const start = change('started', { fingerprint: fingerprintOf(`${now}`), name: 'web', since: since(now) });
      const exit = change('exited', { fingerprint: fingerprintOf(`${before}`), name: 'web', since: since(before) });
      return snapshotRecorded(now, start, ...(before === 0 ? [] : [exit]));
    });
  const due = [created, ...turns(34)];

  it('is due when 64 changes and twice what runs were recorded since the last', () => {
    const state = environmentAfter(due).environment;
    expect(state).toMatchObject({ changesSinceFull: 67, artifacts: 1 });
    expect(fullIsDue(state)).toBe(true);
    expect(fullIsDue({ ...state, changesSinceFull: 66 })).toBe(true);
    expect(fullIsDue({ ...state, changesSinceFull: 65 })).toBe(false);
  });

  const next = snapshotRecorded(
    35,
    change('started', { fingerprint: A, name: 'db', since: since(35), instances: [7] }),
  );
  const kept = {
    type: 'SnapshotStateKept',
    version: 2,
    data: {
      snapshot: 35,
      artifacts: [
        {
          fingerprint: fingerprintOf('34'),
          name: 'web',
          instances: [0],
          flows: [],
          compliant: null,
          since: { ...since(34), deployedAt: since(34).at / 1000 },
        },
        {
          fingerprint: A,
          name: 'db',
          instances: [7],
          flows: [],
          compliant: null,
          since: { ...since(35), deployedAt: since(35).at / 1000 },
        },
      ].sort((x, y) => (x.fingerprint < y.fingerprint ? -1 : 1)),
    },
  } as const;

  it('is kept beside the snapshot that makes it due', async () => {
    await reporting(due, [
      { fingerprint: fingerprintOf('34'), name: 'web', instances: [0] },
      { fingerprint: A, name: 'db', instances: [7] },
    ]).thenRecords(next, kept);
  });

  it('is also kept for a report without artifacts', async () => {
    await reporting(due, []).thenRecords(
      snapshotRecorded(35, change('exited', { fingerprint: fingerprintOf('34'), name: 'web', since: since(34) })),
      { ...kept, data: { snapshot: 35, artifacts: [] } },
    );
  });

  it('is not due right after', () => {
    expect(fullIsDue(environmentAfter([...due, next, kept]).environment)).toBe(false);
  });

  it('is not kept for a report that changes nothing', async () => {
    await reporting(due, [{ fingerprint: fingerprintOf('34'), name: 'web', instances: [0] }]).thenNothing();
  });

  it('throws if the recorded artifacts are not given', async () => {
    const facts = { ...factsAfter(due), recordedArtifacts: null };
    await expect(decideReport(environmentAfter(due), { type: 'docker', artifacts: [] }, facts)).rejects.toThrow(
      'full state is due',
    );
  });
});
