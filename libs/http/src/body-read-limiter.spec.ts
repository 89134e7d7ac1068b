import { BodyReadLimiter } from './body-read-limiter';

describe('arrivals of large bodies', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Acquires places for nine bodies of one organization. */
  async function nine() {
    const arrivals = new BodyReadLimiter();
    const entered: (() => void)[] = [];
    for (let i = 0; i < 9; i += 1) void arrivals.acquire('acme').then((leave) => entered.push(leave));
    await jest.advanceTimersByTimeAsync(0);
    expect(entered).toHaveLength(8);
    return { arrivals, entered };
  }

  it('wait for one of eight others of their organization, and for none of another', async () => {
    const { arrivals, entered } = await nine();
    await arrivals.acquire('other');
    entered[3]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(entered).toHaveLength(9);
  });

  it('wait for five seconds at most', async () => {
    const { entered } = await nine();
    await jest.advanceTimersByTimeAsync(4_999);
    expect(entered).toHaveLength(8);
    await jest.advanceTimersByTimeAsync(1);
    expect(entered).toHaveLength(9);
  });
});
