import { pauseAfter } from './sweep-round';

const MINUTE = 60_000;

it.each([
  [-5, 60],
  [0, 60],
  [MINUTE, 60],
  [2 * MINUTE, 100],
  [10 * MINUTE, 500],
  [60 * MINUTE, 24 * 60],
])('after a sweep of %d ms the next one begins %d minutes later', (took, minutes) => {
  expect(pauseAfter(took)).toBe(minutes * MINUTE);
});
