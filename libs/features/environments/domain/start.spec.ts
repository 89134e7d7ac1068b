import fc from 'fast-check';
import { leadTimeOf, startOf } from './start';

const DAY = 86_400;
const NOW = 1_795_720_000;
const seen = { previous: NOW - 60, observed: NOW };

describe('the start of an artifact', () => {
  it('is its earliest creation time between both reports', () => {
    expect(startOf([NOW - 10, NOW - 20], seen, null)).toBe(NOW - 20);
  });

  it('is not before the last report without it, however old the container is', () => {
    expect(startOf([NOW - 10 * DAY], seen, NOW - 3600)).toBe(NOW - 60);
  });

  it('has no lower bound in the first report', () => {
    expect(startOf([NOW - 10 * DAY], { ...seen, previous: null }, null)).toBe(NOW - 10 * DAY);
  });

  it('is not after the report that told it', () => {
    expect(startOf([NOW + 300], seen, null)).toBe(NOW);
  });

  it('is the time of the report where no creation time is known', () => {
    expect(startOf([0, 315_532_800], seen, null)).toBe(NOW);
    expect(startOf([0, NOW - 5], seen, null)).toBe(NOW - 5);
  });

  it('is the time of the report where it would lie before the commit', () => {
    expect(startOf([NOW - 10 * DAY], { ...seen, previous: null }, NOW - DAY)).toBe(NOW);
    expect(startOf([NOW - 30], seen, 0)).toBe(NOW - 30);
  });

  it('lies between both reports for all times', () => {
    const time = fc.integer({ min: -1e11, max: 1e11 });
    fc.assert(
      fc.property(fc.array(time), time, fc.nat(), time, (created, previous, gap, commit) => {
        const start = startOf(created, { previous, observed: previous + gap }, commit);
        expect(start).toBeGreaterThanOrEqual(previous);
        expect(start).toBeLessThanOrEqual(previous + gap);
      }),
    );
  });
});

describe('a lead time', () => {
  it('is the time from commit to start, and unknown where a time is or where it would be negative', () => {
    expect(leadTimeOf(NOW, NOW - 60)).toBe(60);
    expect([leadTimeOf(NOW, 0), leadTimeOf(NOW, null), leadTimeOf(0, NOW), leadTimeOf(NOW, NOW + 1)]).toEqual(
      Array(4).fill(null),
    );
  });
});
