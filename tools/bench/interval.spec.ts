import { interval, judge } from './interval.ts';

describe('the interval of a median', () => {
  it.each([
    [[3, 1, 2], { median: 2, low: 1, high: 3 }],
    [[1, 2, 3, 4, 5, 6], { median: 3.5, low: 1, high: 6 }],
    [[1, 2, 3, 4, 5, 6, 7, 8], { median: 4.5, low: 1, high: 8 }],
    [[9, 1, 2, 3, 4, 5, 6, 7, 8], { median: 5, low: 2, high: 8 }],
    [Array.from({ length: 20 }, (_, i) => i + 1), { median: 10.5, low: 6, high: 15 }],
  ])('of %j leaves out as many extremes as 95 of 100 series allow', (values, expected) => {
    expect(interval(values)).toEqual(expected);
  });
});

describe('a ratio beside another commit', () => {
  it.each([
    ['met', { median: 0.96, low: 0.5, high: 1.2 }, true],
    ['open', { median: 0.9, low: 0.5, high: 0.96 }, true],
    ['missed', { median: 0.9, low: 0.5, high: 0.94 }, true],
    ['met', { median: 1.04, low: 0.5, high: 1.5 }, false],
    ['open', { median: 1.1, low: 1.04, high: 1.5 }, false],
    ['missed', { median: 1.1, low: 1.06, high: 1.5 }, false],
  ] as const)('is %s for %j', (verdict, ratio, isMoreBetter) => {
    expect(judge(ratio, isMoreBetter)).toBe(verdict);
  });
});
