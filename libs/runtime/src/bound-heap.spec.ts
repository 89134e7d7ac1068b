import { growingPercent } from './bound-heap';

const MB = 1024 * 1024;

describe('the growth of the heap', () => {
  it.each([
    [10 * MB, 100],
    [64 * MB, 100],
    [80 * MB, 80],
    [128 * MB, 50],
    [512 * MB, 50],
  ])('with %i bytes of live objects is %i percent', (live, percent) => expect(growingPercent(live)).toBe(percent));
});
