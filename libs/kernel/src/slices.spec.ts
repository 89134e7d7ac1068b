import {
  ITEMS_A_STEP,
  mapInSlices,
  yieldToOthers,
  pause,
  SLICE_MS,
  Slices,
  waitForTurn,
  yieldSlotWhile,
  workFor,
} from './slices';

/** The time that the code under test reads (milliseconds). It advances only in `compute`, so that a busy machine changes no result. */
let now = 0;
beforeEach(async () => {
  // Work of the previous test must not count in the turn of the event loop in which this test begins.
  await new Promise((resolve) => setImmediate(resolve));
  now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

function compute(ms: number): void {
  now += ms;
}

const items = (many: number) => Array.from({ length: many * ITEMS_A_STEP }, (_, i) => i);

describe('a list in slices', () => {
  it('is mapped in order, whatever its size', async () => {
    expect(await mapInSlices([], String)).toEqual([]);
    expect(await mapInSlices(new Set(['a', 'b']), (item, i) => `${item}${i}`)).toEqual(['a0', 'b1']);
    expect(await mapInSlices(items(10), (item) => 2 * item)).toEqual(items(10).map((item) => 2 * item));
  });

  it('passes on what fails after a pause', async () => {
    const failing = (item: number) => {
      if (item === ITEMS_A_STEP) throw new Error('failed');
      if (item === 0) compute(SLICE_MS);
    };
    await expect(mapInSlices(items(2), failing)).rejects.toThrow('failed');
  });

  it('does not pause for less than a slice', async () => {
    let paused = false;
    setImmediate(() => (paused = true));
    await mapInSlices(items(3), String);
    expect(paused).toBe(false);
  });

  it('lets others run between the slices of several', async () => {
    let rounds = 0;
    const round = () => {
      rounds += 1;
      next = setImmediate(round);
    };
    let next = setImmediate(round);
    const work = () => mapInSlices(items(10), (item) => item % ITEMS_A_STEP === 0 && compute(SLICE_MS));
    await Promise.all(Array.from({ length: 4 }, work));
    clearImmediate(next);
    expect(rounds).toBeGreaterThanOrEqual(20);
  });

  it('shares the slice of a turn of the event loop among many short works', async () => {
    let rounds = 0;
    const round = () => {
      rounds += 1;
      next = setImmediate(round);
    };
    let next = setImmediate(round);
    const short = () => mapInSlices(items(1), (item) => item === 0 && compute(SLICE_MS - 1));
    for (let i = 0; i < 20; i += 1) await short();
    clearImmediate(next);
    expect(rounds).toBeGreaterThanOrEqual(9);
  });

  it('gives slices in turn', async () => {
    const order: string[] = [];
    const work = async (name: string) => {
      const slices = new Slices();
      for (let i = 0; i < 3; i += 1) {
        await slices.next();
        order.push(name);
      }
    };
    await Promise.all([work('a'), work('b')]);
    expect(order.join('')).toBe('ababab');
  });
});

describe('work of owners', () => {
  /** Works for an owner in `many` slices, uses up each of them, and records its owner. */
  const slices = (owner: string, many: number, order: string[]) =>
    workFor(owner, async () => {
      for (let i = 0; i < many; i += 1) {
        await yieldToOthers();
        order.push(owner);
        compute(SLICE_MS);
      }
    });

  it('gets slices in turn, however much of it one owner has', async () => {
    const order: string[] = [];
    const crowd = Array.from({ length: 20 }, () => slices('crowd', 5, order));
    await slices('other', 3, order);
    // Two pieces of the crowd may have been resumed before the other work came.
    expect(order.length).toBeLessThanOrEqual(8);
    await Promise.all(crowd);
    expect(order).toHaveLength(103);
  });

  it('belongs to its owner through all that it awaits', async () => {
    const order: string[] = [];
    const crowd = Array.from({ length: 10 }, () => slices('crowd', 5, order));
    const between = await workFor('other', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      const before = order.length;
      await Promise.all([yieldToOthers(), yieldToOthers()]);
      return order.length - before;
    });
    expect(between).toBeLessThanOrEqual(6);
    await Promise.all(crowd);
  });

  it('pauses once it had the thread for a slice, and not before', async () => {
    await workFor('one', async () => {
      expect(pause()).toBeUndefined();
      compute(SLICE_MS);
      await pause();
      expect(pause()).toBeUndefined();
    });
  });

  it('begins at once where the thread is free, and in turn where it is not', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(waitForTurn('crowd')).toBeUndefined();
    compute(SLICE_MS);
    const begun: string[] = [];
    const begin = async (owner: string) => {
      await waitForTurn(owner);
      begun.push(owner);
      compute(SLICE_MS);
    };
    const crowd = Array.from({ length: 20 }, () => begin('crowd'));
    await begin('other');
    expect(begun).toEqual(['crowd', 'other']);
    await Promise.all(crowd);
  });

  it('begins many that take a moment in one turn of the event loop', async () => {
    compute(SLICE_MS);
    await yieldToOthers();
    let rounds = 0;
    const round = () => {
      rounds += 1;
      next = setImmediate(round);
    };
    let next = setImmediate(round);
    await Promise.all(Array.from({ length: 60 }, () => workFor('one', yieldToOthers)));
    clearImmediate(next);
    expect(rounds).toBeLessThanOrEqual(3);
  });

  it('gives its place away while it waits for others', async () => {
    const happened: string[] = [];
    const place = {
      release: () => void happened.push('left'),
      reacquire: () => Promise.resolve(void happened.push('taken again')),
    };
    const wait = (name: string) => yieldSlotWhile(() => Promise.resolve(happened.push(name)));
    await workFor('one', () => Promise.all([wait('a'), wait('b')]), place);
    expect(happened).toEqual(['left', 'a', 'b', 'taken again']);
  });
});
