import { Metrics } from './metrics';

const silence = new Promise<never>(() => undefined);

describe('metrics that are read from stores', () => {
  let metrics: Metrics;
  beforeEach(() => {
    jest.useFakeTimers();
    metrics = new Metrics(() => performance.now());
  });
  afterEach(() => {
    metrics.stop();
    jest.useRealTimers();
  });

  /** The values of a metric by its labels. */
  const values = async (name: string) => {
    const { text } = await metrics.text();
    return Object.fromEntries(
      [...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))].map(([, labels, value]) => [
        labels ?? '',
        Number(value),
      ]),
    );
  };
  /** A consumer group whose lag the test says. */
  const group = (lag: () => Promise<number>) => ({
    group: 'projection',
    pauseReason: null,
    lag,
    listParked: () => Promise.resolve([]),
  });
  const PROJECTION = '{group="projection"}';
  const LAG_AGE = '{metric="assurance_feed_lag_commits",series="projection"}';

  it('are answered without waiting for a store that gives no answer, and the others are there', async () => {
    metrics.watch([group(() => silence)]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await values('assurance_feed_lag_commits')).toEqual({});
    expect(await values('assurance_feed_parked_streams')).toEqual({ [PROJECTION]: 0 });
    expect(await values('assurance_feed_paused')).toEqual({ [PROJECTION]: 0 });
    const { [LAG_AGE]: age, ...others } = await values('assurance_metric_age_seconds');
    expect([age, others]).toEqual([60, { '{metric="assurance_feed_parked_streams",series="projection"}': 0 }]);
  });

  it('have the last value for a short while only, always with its age', async () => {
    const lag = jest.fn<Promise<number>, []>().mockResolvedValueOnce(3).mockRejectedValue(new Error('Kafka is away'));
    metrics.watch([group(lag)]);
    await jest.advanceTimersByTimeAsync(15_000);
    expect(await values('assurance_feed_lag_commits')).toEqual({ [PROJECTION]: 3 });
    expect(await values('assurance_metric_age_seconds')).toMatchObject({ [LAG_AGE]: 15 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await values('assurance_feed_lag_commits')).toEqual({});
    expect(await values('assurance_metric_age_seconds')).toMatchObject({ [LAG_AGE]: 16 });
    lag.mockResolvedValue(7);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await values('assurance_feed_lag_commits')).toEqual({ [PROJECTION]: 7 });
  });

  it('are those of the moment where a store answers at once', async () => {
    let commits = 0;
    metrics.watch([group(() => Promise.resolve((commits += 1)))]);
    expect(await values('assurance_feed_lag_commits')).toEqual({ [PROJECTION]: 1 });
    expect(await values('assurance_feed_lag_commits')).toEqual({ [PROJECTION]: 2 });
  });

  it('say that Kafka is away while it gives no answer, and that it is back', async () => {
    let answer: () => void = () => undefined;
    const reach = jest.fn(() => new Promise<void>((resolve) => (answer = resolve)));
    metrics.watchKafka(reach);
    await jest.advanceTimersByTimeAsync(15_000);
    expect(await values('assurance_kafka_reachable')).toEqual({ '': 1 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await values('assurance_kafka_reachable')).toEqual({ '': 0 });
    expect(reach).toHaveBeenCalledTimes(1);
    answer();
    await jest.advanceTimersByTimeAsync(5_000);
    answer();
    await jest.advanceTimersByTimeAsync(0);
    expect(await values('assurance_kafka_reachable')).toEqual({ '': 1 });
  });

  it('are read no more after the process stopped them', async () => {
    const lag = jest.fn(() => Promise.resolve(1));
    metrics.watch([group(lag)]);
    metrics.watchKafka(() => Promise.resolve());
    metrics.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([lag.mock.calls.length, jest.getTimerCount()]).toEqual([1, 0]);
  });
});
