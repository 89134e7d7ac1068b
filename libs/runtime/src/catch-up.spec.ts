import { catchUp } from './catch-up';

const group = (lags: number[], following = true) => ({
  following,
  lag: () => Promise.resolve(lags.length > 1 ? lags.shift()! : lags[0]!),
});

it('waits until every consumer has taken all, and for none that stands still', async () => {
  const [first, second] = [
    [3, 2, 0],
    [1, 0],
  ];
  await catchUp([group(first), group(second), group([7], false)]);
  expect([first, second]).toEqual([[0], [0]]);
});

it('waits no longer than two seconds for a long feed', async () => {
  const begun = performance.now();
  await catchUp([group([1_000])]);
  expect(performance.now() - begun).toBeGreaterThan(1_500);
}, 30_000);
