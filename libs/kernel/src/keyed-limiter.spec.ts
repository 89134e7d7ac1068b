import { KeyedLimiter } from './keyed-limiter';

describe('work of one key', () => {
  let turns: KeyedLimiter;
  let running: string[];
  const ends = new Map<string, (failure?: Error) => void>();
  const take = (key: string, name: string, waitMs?: number) =>
    turns.run(
      key,
      async () => {
        running.push(name);
        await new Promise<void>((done, fail) =>
          ends.set(name, (failure) => (failure === undefined ? done() : fail(failure))),
        );
        running.splice(running.indexOf(name), 1);
        return name;
      },
      waitMs === undefined ? undefined : { waitMs, timeoutError: () => new Error(`${name} is late`) },
    );
  const settled = () => jest.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    jest.useFakeTimers();
    [turns, running] = [new KeyedLimiter(), []];
    ends.clear();
  });
  afterEach(() => jest.useRealTimers());

  it('runs one after another in order of arrival, and beside work of other keys', async () => {
    const all = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3'), take('b', 'b1')];
    expect([running, turns.countWaiting('a'), turns.countWaiting('b'), turns.countWaiting('c')]).toEqual([
      ['a1', 'b1'],
      2,
      0,
      0,
    ]);
    for (const [name, next] of [
      ['a1', 'a2'],
      ['a2', 'a3'],
    ]) {
      ends.get(name!)?.();
      await settled();
      expect(running).toEqual(['b1', next]);
    }
    for (const end of ends.values()) end();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('lasts until a held turn is ended, and waits for one no longer than it may', async () => {
    const leave = await turns.acquire('a');
    const late = turns.acquire('a', { waitMs: 10, timeoutError: () => new Error('late') });
    const refused = expect(late).rejects.toThrow('late');
    const next = take('a', 'a1');
    await jest.advanceTimersByTimeAsync(10);
    await refused;
    expect(running).toEqual([]);
    leave();
    await settled();
    expect(running).toEqual(['a1']);
    ends.get('a1')?.();
    await next;
  });

  it('goes on after work that failed, and begins at once when nothing is left', async () => {
    const failing = take('a', 'a1');
    const next = take('a', 'a2');
    ends.get('a1')?.(new Error('it failed'));
    await expect(failing).rejects.toThrow('it failed');
    await settled();
    ends.get('a2')?.();
    await next;
    void take('a', 'a3');
    expect(running).toContain('a3');
  });

  it('is given up when it waited for too long, and those behind it get the next turn', async () => {
    const first = take('a', 'a1');
    const late = take('a', 'a2', 10_000).catch((error: Error) => error.message);
    await jest.advanceTimersByTimeAsync(5_000);
    const next = take('a', 'a3', 10_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect([await late, turns.countWaiting('a')]).toEqual(['a2 is late', 1]);
    ends.get('a1')?.();
    await first;
    await jest.advanceTimersByTimeAsync(20_000);
    expect(running).toEqual(['a3']);
    ends.get('a3')?.();
    expect(await next).toBe('a3');
  });

  it('runs as much at a time as it is told to, and the next when one of it ends', async () => {
    turns = new KeyedLimiter(2);
    void take('a', 'a1');
    expect(turns.isFree('a')).toBe(true);
    for (const name of ['a2', 'a3', 'a4']) void take('a', name);
    expect([running, turns.countWaiting('a'), turns.isFree('a')]).toEqual([['a1', 'a2'], 2, false]);
    for (const [name, now] of [
      ['a2', ['a1', 'a3']],
      ['a1', ['a3', 'a4']],
      ['a4', ['a3']],
    ] as const) {
      ends.get(name)?.();
      await settled();
      expect(running).toEqual(now);
    }
    expect(turns.isFree('a')).toBe(true);
  });
});

describe('a turn that is free', () => {
  it('is held at once, and keeps others waiting until it ends', async () => {
    const turns = new KeyedLimiter();
    const end = turns.acquireIfFree('a');
    expect([end === null, turns.acquireIfFree('a'), turns.acquireIfFree('b') === null]).toEqual([false, null, false]);
    const next = turns.run('a', () => Promise.resolve('next'));
    end?.();
    expect(await next).toBe('next');
    expect(turns.isFree('a')).toBe(true);
  });
});
