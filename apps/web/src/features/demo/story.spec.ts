import { createHash } from 'node:crypto';
import { sbomOf } from './sbom.ts';
import { DAYS, ENVIRONMENTS, releasesOf, reportsOf, SERVICES } from './shop.ts';

const DAY = 86_400;
const END = Date.UTC(2026, 10, 27) / 1000;

describe('the demo', () => {
  const releases = SERVICES.flatMap((service) => releasesOf(service, END)).sort((a, b) => a.committed - b.committed);
  const timesOf = (name: string) => reportsOf(name, releases).map(({ at }) => at);

  it('has 60 days of history, which end before now', () => {
    const times = ENVIRONMENTS.flatMap(({ name }) => timesOf(name));
    expect(Math.min(...times)).toBeLessThan(END - (DAYS - 1) * DAY);
    expect(Math.max(...times)).toBeGreaterThan(END - 5 * DAY);
    expect(Math.max(...times)).toBeLessThan(END);
  });

  it.each(ENVIRONMENTS)('reports $name in order of time, no two reports at one time', ({ name }) => {
    expect(timesOf(name)).toEqual([...new Set(timesOf(name))].sort((a, b) => a - b));
  });

  it('has a fingerprint and a commit of its own for each version', () => {
    expect(new Set(releases.flatMap(({ fingerprint, commit }) => [fingerprint, commit.sha1])).size).toBe(42);
    for (const { fingerprint, commit } of releases)
      expect(`${fingerprint} ${commit.sha1}`).toMatch(/^[0-9a-f]{64} [0-9a-f]{40}$/);
  });

  it.each(['2.9', '2.10'])('names the digest of the SBOM of version %s', (version) => {
    const { text = '', sha256 } = sbomOf(version) ?? {};
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });
});
