import { Shares } from './shares';

it('lets each owner have so much, and one thing more when it is alone', () => {
  const shares = new Shares(10);
  expect([shares.take('a', 6), shares.take('a', 5), shares.take('b', 5), shares.take('a', 4)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  shares.leave('a', 10);
  expect([shares.take('a', 30), shares.take('a', 1), shares.take('a', 30, 30)]).toEqual([true, false, true]);
});
