import { buildsOf, DAYS, sightsOf } from './story';

const DAY = 86_400;
const UNTIL = Date.UTC(2026, 10, 27) / 1000;

describe('the demo', () => {
  const builds = buildsOf(UNTIL);
  const sights = sightsOf(builds, UNTIL);

  it('has 60 days of history, which end before now', () => {
    const times = sights.map(({ at }) => at);
    expect(Math.min(...times)).toBeLessThan(UNTIL - (DAYS - 1) * DAY);
    expect(Math.max(...times)).toBeGreaterThan(UNTIL - 5 * DAY);
    expect(Math.max(...times)).toBeLessThanOrEqual(UNTIL + 60);
  });

  it('lists the steps of each environment in order of time, and each version once by its fingerprint', () => {
    for (const environment of ['staging', 'production']) {
      const times = sights.filter((one) => one.environment === environment).map(({ at }) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    expect(new Set(builds.map(({ fingerprint }) => fingerprint)).size).toBe(builds.length);
    for (const { fingerprint, commit } of builds)
      expect(`${fingerprint} ${commit}`).toMatch(/^[0-9a-f]{64} [0-9a-f]{40}$/);
  });

  it('takes the version that failed its tests back in production', () => {
    const names = sights
      .filter(({ environment }) => environment === 'production')
      .flatMap(({ running }) => running.map(({ build }) => build).filter(({ service }) => service === 'checkout'))
      .map(({ name }) => name);
    const at = names.indexOf('shop/checkout:1.6');
    expect(names.slice(at).find((name) => name !== 'shop/checkout:1.6')).toBe('shop/checkout:1.5');
  });
});
