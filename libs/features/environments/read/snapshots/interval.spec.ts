import fc from 'fast-check';
import { codePoint } from '@assurance/testing/code-point';
import { overlap, readInterval, resolveInterval } from './interval';
import { snapshotAt } from './resolve';

const NOW = Date.UTC(2024, 2, 31, 12);
const HOUR = 3_600_000;

/** An environment whose snapshots 1, 2, 3 were made four, three and two hours ago. */
const environment = { id: 'e', snapshot: 3 };
const MADE = [4, 3, 2].map((hours) => NOW - hours * HOUR);
const store = {
  asOf: async (_: string, at: number) => {
    return { index: { snapshot: MADE.filter((createdAt) => createdAt <= at).length } } as never;
  },
  bySnapshot: async (_: string, snapshot: number) => ({ at: MADE[snapshot - 1] }) as never,
};
async function resolve(text: string, start: 'in-force' | 'made' = 'in-force', of = environment) {
  const interval = readInterval(text, NOW);
  if (interval === null) return null;
  const { first, last } = await resolveInterval(store, of, interval, start);
  return first > last ? 'empty' : [first, last];
}

describe('an interval of snapshots', () => {
  it.each([
    ['2..NOW', [2, 3]],
    ['1..2', [1, 2]],
    ['#1..#2', [1, 2]],
    ['~1..NOW', [2, 3]],
    ['~2..~1', [1, 2]],
    ['~9..NOW', [1, 3]],
    ['2..99', [2, 3]],
    ['7..NOW', 'empty'],
    ['3..~1', 'empty'],
    ['2', [2, 2]],
    ['~1', [2, 2]],
    ['NOW', [3, 3]],
    ['9', 'empty'],
    ['0', 'empty'],
    ['2.weeks.ago..NOW', [1, 3]],
    ['2.weeks.ago..1.weeks.ago', 'empty'],
    ['3.hours.ago..NOW', [2, 3]],
    ['150minutes..NOW', [2, 3]],
    ['1hour..NOW', [3, 3]],
    ['1..3.hours.ago', [1, 2]],
    ['2024-03-31T08:30:00..2024-03-31T09:30:00Z', [1, 2]],
    ['@{now}', [3, 3]],
    ['150.minutes.ago', [2, 2]],
  ])('%s', async (text, expected) => expect(await resolve(text)).toEqual(expected));

  it.each([
    ['2.weeks.ago..NOW', [1, 3]],
    ['3.hours.ago..NOW', [2, 3]],
    ['150minutes..NOW', [3, 3]],
    ['1hour..NOW', 'empty'],
    ['150.minutes.ago', [2, 2]],
  ])('%s, of what was made in it', async (text, expected) => expect(await resolve(text, 'made')).toEqual(expected));

  it.each([
    '3..1',
    '~1..~2',
    'NOW..~1',
    '1.hour.ago..2.hours.ago',
    '',
    '..',
    '1..',
    '..2',
    '1..2..3',
    '1...3',
    'x..NOW',
  ])('cannot be %j', (text) => expect(readInterval(text, NOW)).toBeNull());

  it('of an environment without snapshots is empty', async () => {
    for (const text of ['NOW', '1..NOW', '2.weeks.ago..NOW']) {
      expect(await resolve(text, 'made', { id: 'e', snapshot: 0 })).toBe('empty');
    }
  });

  it('is accepted or refused without a fault, and stays within the existing snapshots', async () => {
    const pieces = fc.constantFrom('..', '.', '~', '#', '1', '2', '40', 'NOW', 'hours', '.ago', '-', '@{now}', ' ');
    const texts = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('in-force', 'made'), async (text, start) => {
        const range = await resolve(text, start);
        if (!Array.isArray(range)) return;
        expect(range[0]).toBeGreaterThanOrEqual(1);
        expect(range[1]).toBeLessThanOrEqual(3);
      }),
    );
  });

  it('narrows another', () => {
    expect(overlap({ first: 1, last: 5 }, { first: 3, last: 9 })).toEqual({ first: 3, last: 5 });
  });
});

describe('the snapshot in force at a time', () => {
  it('is the newest that was observed until then, also where history was brought in later', async () => {
    const gaps = fc.array(fc.record({ observed: fc.nat(3), recorded: fc.nat(5) }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(gaps, fc.nat(60), async (all, at) => {
        let [observedAt, committed] = [0, 0];
        const commits = all.map(({ observed, recorded }) => {
          observedAt += observed;
          committed = Math.max(committed, observedAt) + recorded;
          return { at: committed, observedAt };
        });
        let looks = 0;
        const history = {
          asOf: async (_: string, time: number) =>
            ({ index: { snapshot: commits.filter((commit) => commit.at <= time).length } }) as never,
          bySnapshot: async (_: string, snapshot: number) => {
            looks += 1;
            return { index: commits[snapshot - 1] } as never;
          },
        };
        const result = await snapshotAt(history, { id: 'e', snapshot: commits.length }, at);
        expect(result).toBe(commits.filter((commit) => commit.observedAt <= at).length);
        expect(looks).toBeLessThanOrEqual(6);
      }),
    );
  });
});
