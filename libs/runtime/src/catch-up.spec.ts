import { catchUp } from './catch-up';

const group = (lags: number[], isFollowing = true) => ({
  group: 'projection',
  isFollowing,
  lag: () => Promise.resolve(lags.length > 1 ? lags.shift()! : lags[0]!),
});
const clock = { steady: () => performance.now() };
const logger = () => ({ warn: jest.fn() });

it('waits for consumers that make progress, and not for a consumer that stopped', async () => {
  const [first, second] = [
    [3, 2, 0],
    [1, 0],
  ];
  await catchUp([group(first), group(second), group([7], false)], {}, logger(), clock);
  expect([first, second]).toEqual([[0], [0]]);
});

it('waits no longer than two seconds for a long feed', async () => {
  const begun = performance.now();
  await catchUp([group([1_000])], { restoring: null }, logger(), clock);
  expect(performance.now() - begun).toBeGreaterThan(1_500);
}, 30_000);

it('waits for two seconds by the clock, even if reading a lag takes long', async () => {
  let now = 0;
  const slow = {
    ...group([1_000]),
    lag: () => {
      now += 700;
      return Promise.resolve(1_000);
    },
  };
  await catchUp([slow], { restoring: null }, logger(), { steady: () => now });
  expect(now).toBe(2_100);
});

it('tells every five seconds by the clock that documents are made again', async () => {
  let now = 0;
  const slow = {
    ...group([]),
    lag: () => {
      now += 2_500;
      return Promise.resolve(now < 20_000 ? 1 : 0);
    },
  };
  const { warn } = logger();
  await catchUp([slow], { restoring: 'the file is missing' }, { warn }, { steady: () => now });
  // One warning with the reason, then warnings at 2.5, 7.5, 12.5 and 17.5 s.
  expect(warn).toHaveBeenCalledTimes(5);
});

it('waits for all commits where documents are made again from them, and says so', async () => {
  const restored = jest.fn().mockResolvedValue(undefined);
  const { warn } = logger();
  const lags = [...Array.from({ length: 600 }, (_, i) => 600 - i), 0];
  await catchUp([group(lags)], { restoring: 'the file is missing', restored }, { warn }, clock);
  expect(lags).toEqual([0]);
  expect(restored).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]).toEqual([{ reason: 'the file is missing' }, expect.any(String)]);
  expect(warn.mock.calls[1]?.[0]).toEqual({ commits: { projection: 600 } });
}, 30_000);
