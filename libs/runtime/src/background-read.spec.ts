import { BackgroundRead } from './background-read';

describe('a value that is read in the background', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A store whose reads end when the test says so. */
  function slowStore() {
    const ends: { resolve: (value: number) => void; reject: (fault: Error) => void }[] = [];
    const read = () => new Promise<number>((resolve, reject) => ends.push({ resolve, reject }));
    const value = new BackgroundRead(read, { everyMs: 1_000, steady: () => performance.now() });
    return { ends, value };
  }

  it('is there at once, and never two reads at a time', async () => {
    const { ends, value } = slowStore();
    expect(value.value(Infinity)).toBeNull();
    await jest.advanceTimersByTimeAsync(5_500);
    expect(ends).toHaveLength(1);
    ends[0]?.resolve(7);
    await jest.advanceTimersByTimeAsync(500);
    expect([value.value(6_000), ends.length]).toEqual([7, 2]);
    value.stop();
  });

  it('is as old as the beginning of its read, and is not given where it is too old', async () => {
    const { ends, value } = slowStore();
    await jest.advanceTimersByTimeAsync(2_000);
    ends[0]?.resolve(7);
    await jest.advanceTimersByTimeAsync(10);
    expect([value.age(), value.value(2_010), value.value(2_009)]).toEqual([2_010, 7, null]);
    value.stop();
  });

  it('stays and becomes older where a read fails', async () => {
    const { ends, value } = slowStore();
    ends[0]?.resolve(7);
    await jest.advanceTimersByTimeAsync(1_000);
    ends[1]?.reject(new Error('the store is away'));
    await jest.advanceTimersByTimeAsync(1_000);
    expect([value.age(), value.value(2_000), ends.length]).toEqual([2_000, 7, 3]);
    value.stop();
  });

  it('is what the owner says until the first read ends, and is not read after it was stopped', async () => {
    const read = jest.fn(() => Promise.resolve('read'));
    const value = new BackgroundRead(read, { everyMs: 1_000, steady: () => performance.now(), initial: 'initial' });
    expect(value.value(0)).toBe('initial');
    await jest.advanceTimersByTimeAsync(0);
    expect(value.value(0)).toBe('read');
    value.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(read).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
