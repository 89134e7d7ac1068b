import { sha256 } from '@assurance/kernel';
import { sortedInSlices } from './sorted';

it.each([0, 1, 999, 1_000, 1_001, 2_500, 7_001])('sorts %i texts as if at once', async (count) => {
  const texts = Array.from({ length: count }, (_, i) => `${sha256(`${i % 5_000}`)}é`);
  expect(await sortedInSlices(texts)).toEqual([...texts].sort());
});
