import fc from 'fast-check';
import { type CountedPeriod, splitWindow, numberOf, periodAt, periodOf, type WindowPart, boundsOf } from './periods';

const DAY = 86_400;
/** Moments of rows over some periods, many at the very ends of days. */
const moment = fc.oneof(
  fc.integer({ min: 0, max: 100 * DAY * 10 }).map((tenths) => tenths / 10),
  fc.integer({ min: 0, max: 100 }).map((day) => day * DAY),
  fc.integer({ min: 1, max: 100 }).map((day) => day * DAY - 0.001),
);
const window = fc.tuple(moment, moment).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));

const holds = (piece: WindowPart, at: number) => at >= boundsOf(piece).gte && at <= boundsOf(piece).lte;

it('cuts a window into pieces that hold each of its moments once and nothing else', () => {
  fc.assert(
    fc.property(window, fc.array(moment), (request, moments) => {
      const pieces = splitWindow(request);
      for (const at of [...moments, request.start, request.end]) {
        const inside = at >= request.start && at <= request.end;
        expect(pieces.filter((piece) => holds(piece, at))).toHaveLength(inside ? 1 : 0);
      }
    }),
  );
});

it('cuts whole periods at their own ends, and needs few of them', () => {
  fc.assert(
    fc.property(window, (request) => {
      const pieces = splitWindow(request);
      expect(pieces.length).toBeLessThanOrEqual(5);
      expect(pieces.filter(({ level }) => level === null).length).toBeLessThanOrEqual(2);
      for (const { level, from, to } of pieces) {
        if (level === null) expect(to - from).toBeLessThan(2 * DAY);
        else
          expect([periodOf(level, numberOf(level, from)).from, periodOf(level, numberOf(level, to)).from]).toEqual([
            from,
            to,
          ]);
      }
    }),
  );
});

it.each([
  ['ends before the epoch', { start: -10, end: -1 }, []],
  ['is one moment', { start: 5, end: 5 }, [null]],
  ['is one whole day', { start: 0, end: DAY - Number.EPSILON * 2 ** 16 }, [0]],
  ['has begun before the epoch', { start: -10, end: 33 * DAY }, [null, 0, 1]],
])('cuts a window that %s', (_, request, levels) => {
  expect(splitWindow(request).map(({ level }) => level)).toEqual(levels);
});

it('finds the period of a row as counting all rows does', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 })), fc.nat({ max: 40 }), (counts, place) => {
      const periods = counts.map((count, i): CountedPeriod => ({ ...periodOf(0, counts.length - i), count }));
      const rows = periods.flatMap((period) => Array.from({ length: period.count }, (_, i) => ({ period, place: i })));
      expect(periodAt(periods, place)).toEqual(rows[place] ?? null);
    }),
  );
});
