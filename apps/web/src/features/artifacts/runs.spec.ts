import { runsOf } from './runs';

const event = (type: 'started' | 'stopped', timestamp: number, environment_name = 'production', fingerprint = 'a') => ({
  type: `artifact_${type}_running` as const,
  timestamp,
  environment_name,
  artifact_fingerprint: fingerprint,
  snapshot_index: timestamp,
});
const run = (env: string, from: number | null, until: number | null) => ({
  env,
  started: from,
  from,
  stopped: until,
  until,
});

describe('where an artifact ran', () => {
  it('is from each start to the next stop in the same environment, the newest first', () => {
    const events = [event('stopped', 3), event('started', 1), event('started', 2, 'staging'), event('started', 5)];
    expect(runsOf(events, 'a')).toEqual([run('production', 5, null), run('staging', 2, null), run('production', 1, 3)]);
  });

  it('has no start if the start was not observed', () => {
    expect(runsOf([event('stopped', 3)], 'a')).toEqual([run('production', null, 3)]);
  });

  it('is one time where its number of instances changed, and none of other artifacts', () => {
    const events = [event('started', 1), event('started', 2), event('started', 3, 'staging', 'b')];
    expect(runsOf(events, 'a')).toEqual([run('production', 1, null)]);
  });
});
