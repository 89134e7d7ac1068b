import { timelineOf } from './timeline';

const production = { environment: 'production', first_snapshot: 3, exposed_since: 20, gone_snapshot: 9, gone_at: 40 };
const staging = { environment: 'staging', first_snapshot: 1, exposed_since: 10, gone_snapshot: null, gone_at: null };

describe('the timeline of a vulnerability', () => {
  it('has what happened in databases and in environments, oldest first', () => {
    const timeline = timelineOf({ published: 30, withdrawn: 50, exposures: [production, staging] });
    expect(timeline.map(({ at, kind, environment, snapshot }) => [at, kind, environment, snapshot])).toEqual([
      [10, 'exposed', 'staging', 1],
      [20, 'exposed', 'production', 3],
      [30, 'published', null, null],
      [40, 'gone', 'production', 9],
      [50, 'withdrawn', null, null],
    ]);
  });

  it('has each time in which an environment was exposed', () => {
    const again = { ...production, first_snapshot: 12, exposed_since: 60, gone_snapshot: null, gone_at: null };
    const timeline = timelineOf({ published: null, withdrawn: null, exposures: [again, production] });
    expect(timeline.map(({ at, kind, snapshot }) => [at, kind, snapshot])).toEqual([
      [20, 'exposed', 3],
      [40, 'gone', 9],
      [60, 'exposed', 12],
    ]);
  });

  it('is empty without times and exposures', () => {
    expect(timelineOf({ published: null, withdrawn: null, exposures: [] })).toEqual([]);
  });
});
