import { atOnce, inSlices, SLICE_MS, Slices, type Steps } from './slices';

/** Computes for some milliseconds. */
function compute(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

function* counting(steps: number, ms: number): Steps<number> {
  for (let i = 0; i < steps; i += 1) {
    compute(ms);
    yield;
  }
  return steps;
}

describe('work in steps', () => {
  it('gives the same result at once and in slices', async () => {
    expect(atOnce(counting(10, 0))).toBe(10);
    expect(inSlices(counting(10, 0))).toBe(10);
    expect(await inSlices(counting(3, SLICE_MS))).toBe(3);
  });

  it('passes on what it throws', async () => {
    function* failing(): Steps<never> {
      throw new Error('failed');
    }
    expect(() => atOnce(failing())).toThrow('failed');
    expect(() => inSlices(failing())).toThrow('failed');
  });

  it('passes on what it throws after a pause', async () => {
    function* failing(): Steps<never> {
      compute(SLICE_MS);
      yield;
      throw new Error('failed');
    }
    await expect(inSlices(failing())).rejects.toThrow('failed');
  });

  it('does not pause for less than a slice', async () => {
    let paused = false;
    setImmediate(() => (paused = true));
    expect(inSlices(counting(3, 0))).toBe(3);
    expect(paused).toBe(false);
  });

  it('lets timers run while several are in slices', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    await Promise.all(Array.from({ length: 4 }, async () => inSlices(counting(10, SLICE_MS))));
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(20);
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
