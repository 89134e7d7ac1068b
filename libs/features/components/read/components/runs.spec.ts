import fc from 'fast-check';
import { endedAtBeginnings, runsIn } from './runs';

const snapshots = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 8 });

describe('runs of an artifact in an environment', () => {
  it('end with the first departure behind their start, at the latest with the next start', () => {
    fc.assert(
      fc.property(snapshots, snapshots, fc.boolean(), (starts, ends, isRunning) => {
        const runs = runsIn('e', starts, ends, isRunning);
        expect(runs.map(({ from }) => from)).toEqual([...starts].sort((a, b) => a - b));
        for (const { from, until, isRunning: is } of runs) {
          const later = [...starts, ...ends].filter((time) => time > from);
          expect(until).toBe(later.length === 0 ? null : Math.min(...later));
          expect(is).toBe(isRunning && until === null);
        }
      }),
    );
  });

  it('end at the latest where their environment begins from nothing, unless they are those of now', () => {
    fc.assert(
      fc.property(snapshots, snapshots, snapshots, (starts, ends, begun) => {
        const sorted = [...begun].sort((a, b) => a - b);
        const runs = ['one', 'two'].flatMap((environment) => runsIn(environment, starts, ends, false));
        for (const { from, until } of endedAtBeginnings(runs, new Map(['one', 'two'].map((key) => [key, sorted])))) {
          const later = [...starts, ...ends, ...begun].filter((time) => time > from);
          expect(until).toBe(later.length === 0 ? null : Math.min(...later));
        }
      }),
    );
    const [last] = runsIn('e', [1], [], true);
    expect(endedAtBeginnings(last === undefined ? [] : [last], new Map([['e', [2]]]))).toEqual([last]);
  });
});
