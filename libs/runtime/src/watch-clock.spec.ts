import { watchClock, type WatchedClock } from './watch-clock';

const HOUR = 3_600_000;

describe('a clock that is watched', () => {
  let time: number;
  let passed: number;
  let clock: WatchedClock;
  beforeEach(() => {
    [time, passed] = [1_700_000_000_000, 4_711];
    clock = watchClock(
      () => time,
      () => passed,
    );
  });
  afterEach(() => clock.stop());
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      time += 1_000;
      passed += 1_000;
      clock.now();
    }
  };

  it('gives the earliest time of the last 30 seconds while it is not set', () => {
    const begun = time;
    expect(clock.earliest()).toBe(begun);
    pass(30);
    expect(clock.earliest()).toBe(begun);
    pass(1);
    expect(clock.earliest()).toBe(begun + 1_000);
    pass(100);
    expect(clock.earliest()).toBe(time - 30_000);
  });

  it('keeps the time before it was set forwards, for 30 seconds', () => {
    pass(60);
    const before = time;
    time += HOUR;
    expect([clock.now(), clock.earliest()]).toEqual([before + HOUR, before - 30_000]);
    pass(30);
    expect(clock.earliest()).toBe(before);
    pass(1);
    expect(clock.earliest()).toBe(before + HOUR + 1_000);
  });

  it('keeps the time to which it was set back', () => {
    time -= HOUR;
    const stamped = clock.now();
    time += 2 * HOUR;
    expect(clock.earliest()).toBe(stamped);
  });

  it('drops all earlier times after a pause without a read', () => {
    time += HOUR;
    passed += 31_000;
    expect(clock.earliest()).toBe(time);
  });
});
