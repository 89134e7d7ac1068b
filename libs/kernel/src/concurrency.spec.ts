import { forEachConcurrently, mapConcurrently } from './concurrency';

describe('work abreast', () => {
  it('is done on so many items at a time, and on each once', async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done.push(item);
    });
    expect([most, done.sort((a, b) => a - b)]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
  });

  it('begins nothing after an error, and throws the first one when what has begun has ended', async () => {
    const ended: number[] = [];
    const work = async (item: number) => {
      await Promise.resolve();
      ended.push(item);
      if (item < 3) throw new Error(`no ${item}`);
    };
    await expect(forEachConcurrently([1, 2, 3, 4], 2, work)).rejects.toThrow('no 1');
    expect(ended).toEqual([1, 2]);
  });
});

describe('values of items', () => {
  it('come in order, and so many are made at the same time', async () => {
    let [running, most] = [0, 0];
    const values = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item) => {
      most = Math.max(most, (running += 1));
      for (let turns = 0; turns < item; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return item * 10;
    });
    expect([most, values]).toEqual([2, [50, 10, 40, 20, 30]]);
  });
});
