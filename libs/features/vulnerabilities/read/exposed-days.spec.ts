import { DayCounts, daysOf } from './exposed-days';

const run = (from: number, until: number | null, isRunning = false) => ({ environment: 'e1', from, until, isRunning });
/** Snapshots 1 and 2 are of the first day, 3 to 5 of the third. The second day has none. Snapshot 6 is of the first moment of the fourth day. */
const days = new Map([
  [
    'e1',
    [
      { first: 0, last: 2 },
      { first: 2, last: 2 },
      { first: 2, last: 5 },
      { first: 6, last: 6 },
    ],
  ],
]);

describe('the days on which an artifact ran', () => {
  it.each<[string, ReturnType<typeof run>, string]>([
    ['from the first snapshot to within a later day', run(1, 3), '111'],
    ['within one day', run(3, 4), '100'],
    ['within the first day', run(1, 2), '1'],
    ['up to the first moment of a day', run(5, 6), '100'],
    ['from the first moment of a day, and now', run(6, null, true), '11000'],
    ['from one day on, and now', run(2, null, true), '11111'],
    ['up to an end that no snapshot tells', run(5, null), '1100'],
    ['after all days', run(7, 8), '0'],
  ])('are told %s', (_, one, bits) => expect(daysOf([one], days).toString(2)).toBe(bits));

  it('are those of all its runs, in all environments', () => {
    const other = new Map([...days, ['e2', Array.from({ length: 4 }, () => ({ first: 0, last: 0 }))]]);
    expect(daysOf([run(1, 2), run(5, 6)], days).toString(2)).toBe('101');
    expect(daysOf([{ ...run(1, null, true), environment: 'e2' }], other).toString(2)).toBe('10000');
    expect(daysOf([{ ...run(1, null, true), environment: 'e3' }], other).toString(2)).toBe('1');
  });
});

describe('counts of days', () => {
  it('have each thing on each of its days', () => {
    const counts = new DayCounts(3);
    counts.add('high', 0b101n);
    counts.add('high', 0b001n);
    counts.add('without_sbom', 0b11010n);
    const severities = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
    const none = { ...severities, without_sbom: 0, incomplete_sbom: 0, unmatched_components: 0 };
    expect([0, 1, 2].map((day) => counts.on(day))).toEqual([
      { ...none, high: 2 },
      { ...none, without_sbom: 1 },
      { ...none, high: 1 },
    ]);
  });
});
