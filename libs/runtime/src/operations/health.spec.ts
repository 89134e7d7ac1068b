import { ProcessHealth } from './health';

describe('the health of a process', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** A storage whose checks end when the test says so. */
  function slowStorage() {
    const ends: { resolve: (problems: string[]) => void; reject: (fault: Error) => void }[] = [];
    const problems = () => new Promise<string[]>((resolve, reject) => ends.push({ resolve, reject }));
    const error = jest.fn();
    return { ends, error, health: new ProcessHealth({ problems }, { error }, () => performance.now()) };
  }

  it('names the problems of the last check at once, and forgets them when the next one finds none', async () => {
    const { ends, health } = slowStorage();
    expect(health.problems()).toEqual([]);
    ends[0]?.resolve(['MongoDB does not answer']);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(health.problems()).toEqual(['MongoDB does not answer']);
    ends[1]?.resolve([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(health.problems()).toEqual([]);
    health.stop();
  });

  it('does not take a check that hangs for a success', async () => {
    const { ends, health } = slowStorage();
    await jest.advanceTimersByTimeAsync(15_000);
    expect(health.problems()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(health.problems()).toEqual(['the storage gives no answer']);
    ends[0]?.resolve([]);
    await jest.advanceTimersByTimeAsync(1_000);
    ends[1]?.resolve([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(health.problems()).toEqual([]);
    health.stop();
  });

  it('says and logs that a check failed', async () => {
    const { ends, error, health } = slowStorage();
    const err = new Error('a fault');
    ends[0]?.reject(err);
    await jest.advanceTimersByTimeAsync(0);
    expect(health.problems()).toEqual(['the storage gives no answer']);
    expect(error).toHaveBeenCalledWith({ err }, 'the storage engines did not answer');
    health.stop();
  });

  it('names the first event of a newer version that a request met, and never forgets it', async () => {
    const { ends, health } = slowStorage();
    health.noteUnknownEvent(new Error('trail/t#3 holds TrailPainted v1'));
    health.noteUnknownEvent(new Error('trail/u#1 holds TrailPainted v1'));
    ends[0]?.resolve([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(health.problems()).toEqual(['a request met an event of a newer version: trail/t#3 holds TrailPainted v1']);
    health.stop();
  });

  it('adds consumers that stand still, and says nothing else once the process ends', () => {
    const { health } = slowStorage();
    health.watch([
      { group: 'first', pauseReason: null, isFollowing: true },
      { group: 'second', pauseReason: 'an unknown event', isFollowing: false },
      { group: 'third', pauseReason: null, isFollowing: false },
    ]);
    expect(health.problems()).toEqual([
      'the consumer second is paused: an unknown event',
      'the consumer third does not follow the feed',
    ]);
    health.stop();
    health.stop('another reason');
    expect(health.problems()).toEqual(['the service is shutting down']);
    expect(jest.getTimerCount()).toBe(0);
  });
});
