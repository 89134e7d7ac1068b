import type { SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { describeChange } from '../../domain/describe';
import { eventRows } from './follow';

const change = (name: string, fields: Partial<SnapshotChange> = {}): SnapshotChange => ({
  change: 'started',
  fingerprint: name.repeat(2),
  name,
  instances: [5],
  compliant: null,
  since: { snapshot: 1, at: 1, deployedAt: 5 },
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
  data: { snapshot: 3, environment: 'production', type: 'docker', changes },
});

describe('events of a snapshot', () => {
  it('list running artifacts by name, then artifacts that left, and no replaced artifacts', async () => {
    const exit = { change: 'exited', was: 1, now: 0 } as const;
    const rows = await eventRows(
      recorded(
        change('d', exit),
        change('c', { change: 'changed', was: 1 }),
        change('a', { ...exit, replacedBy: { fingerprint: 'cc', name: 'c' } }),
        change('b'),
      ),
      meta,
      10,
    );
    expect([...rows].map(([id, { name, number, snapshot, at }]) => [id, name, number, snapshot, at])).toEqual([
      ['e/3/0', 'b', 13, 3, 7_000],
      ['e/3/1', 'c', 12, 3, 7_000],
      ['e/3/2', 'd', 11, 3, 7_000],
    ]);
  });

  it('have the same rows whatever the order of the changes', async () => {
    const all = ['a', 'b', 'c'].map((name) => change(name));
    expect(await eventRows(recorded(...[...all].reverse()), meta, 0)).toEqual(
      await eventRows(recorded(...all), meta, 0),
    );
  });

  it.each([
    ['started', 0, 1, '1 instance started running (from 0 to 1)'],
    ['started', 0, 3, '3 instances started running (from 0 to 3)'],
    ['exited', 1, 0, '1 instance stopped running (from 1 to 0)'],
    ['exited', 2, 0, '2 instances stopped running (from 2 to 0)'],
    ['scaled', 1, 3, '2 instances started running (from 1 to 3)'],
    ['scaled', 3, 2, '1 instance stopped running (from 3 to 2)'],
    ['changed', 1, 1, '1 instance changed'],
    ['changed', 2, 3, '3 instances changed'],
    ['updated-provenance', 3, 3, '3 instances changed'],
  ] as const)('%s from %i to %i is "%s"', (kind, was, now, text) =>
    expect(describeChange({ change: kind, was, now, compliant: true })).toBe(text),
  );

  it.each([
    [true, 'evidence', 'The artifact is compliant now, by new evidence'],
    [false, 'evidence', 'The artifact is not compliant now, by new evidence'],
    [false, 'policy', 'The artifact is not compliant now, by a change of policies'],
    [null, 'policy', 'The artifact is judged by nothing now, by a change of policies'],
    [true, 'allow-list', 'The artifact is compliant now, by the allow-list'],
  ] as const)('another verdict %s because of %s is "%s"', (compliant, because, text) => {
    expect(describeChange({ change: 'updated-provenance', was: 3, now: 3, compliant, because })).toBe(text);
  });
});
