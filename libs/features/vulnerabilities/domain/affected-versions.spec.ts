import { compareVersions } from '@assurance/components/domain/versions/compare';
import { ecosystemOf } from '@assurance/components/domain/versions/ecosystem';
import type { AffectedRange, ListedPackage, RangeEvent } from '@assurance/contracts/vulnerabilities/events';
import fc from 'fast-check';
import { type Affects, affectedVersions, anyOf, inOrder } from './affected-versions';

const now = () => Promise.resolve();

const VERSIONS = ['0', '0.9', '1.0', '1', '1.0.0', '1.0-rc1', '1.1', '1.10', '2', '2.0-beta9', 'junk ', '3.0.0+x'];
const events = fc.array(
  fc.record({
    kind: fc.constantFrom<RangeEvent['kind'][]>('introduced', 'fixed', 'last_affected', 'limit'),
    version: fc.constantFrom(...VERSIONS),
  }),
  { minLength: 1, maxLength: 8 },
);
const packages: fc.Arbitrary<ListedPackage> = fc.record({
  type: fc.constantFrom('npm', 'maven', 'pypi', 'deb', 'golang', 'gem'),
  distribution: fc.constant(null),
  release: fc.constant(null),
  name: fc.constant('a'),
  purl: fc.constant(null),
  ranges: fc.array(fc.record({ type: fc.constantFrom('SEMVER', 'ECOSYSTEM', 'GIT'), events }), { maxLength: 2 }),
  versions: fc.array(fc.constantFrom(...VERSIONS), { maxLength: 4 }),
});

/** The evaluation as OSV's schema writes it, event by event. */
function plainly(affected: ListedPackage, version: string): Affects {
  const ecosystem = ecosystemOf(affected.type);
  if (affected.versions.includes(version)) return 'yes';
  if (affected.versions.some((text) => compareVersions(ecosystem, text, version) === 0)) return 'yes';
  const ranges = affected.ranges.filter(({ type }) => type !== 'GIT');
  if (ranges.length === 0) return affected.versions.length > 0 ? 'no' : 'unknown';
  return anyOf(ranges.map((range) => inRange(range, range.type === 'SEMVER' ? 'npm' : ecosystem, version)));
}

function inRange(
  { events: all }: AffectedRange,
  rules: Parameters<typeof compareVersions>[0],
  version: string,
): Affects {
  const limits = all.filter(({ kind }) => kind === 'limit');
  const before = anyOf(
    limits.map((limit): Affects => {
      const order = limit.version === '*' ? -1 : compareVersions(rules, version, limit.version);
      return order === undefined ? 'unknown' : order < 0 ? 'yes' : 'no';
    }),
  );
  const limit = limits.length === 0 ? 'yes' : before;
  if (limit === 'no') return 'no';
  const isStart = (event: RangeEvent) => event.kind === 'introduced' && event.version === '0';
  const others = all.filter((event) => event.kind !== 'limit' && !isStart(event));
  const sorted = others.toSorted((a, b) => compareVersions(rules, a.version, b.version) ?? 0);
  const texts = new Set(others.map((event) => event.version));
  if (texts.size > 1 && others.some((event) => compareVersions(rules, event.version, '1') === undefined)) {
    return 'unknown';
  }
  let isVulnerable = all.some(isStart);
  for (const event of sorted) {
    const order = compareVersions(rules, version, event.version);
    if (order === undefined) return 'unknown';
    if (event.kind === 'introduced' && order >= 0) isVulnerable = true;
    else if (event.kind === 'fixed' && order >= 0) isVulnerable = false;
    else if (event.kind === 'last_affected' && order > 0) isVulnerable = false;
  }
  return isVulnerable ? limit : 'no';
}

describe('the versions that an entry affects', () => {
  it('are those that OSV evaluates event by event, in whatever order they are listed', async () => {
    await fc.assert(
      fc.asyncProperty(packages, fc.constantFrom(...VERSIONS), async (affected, version) => {
        const expected = plainly(affected, version);
        expect((await affectedVersions(affected, now))(version)).toBe(expected);
        expect((await affectedVersions(await inOrder(affected), now))(version)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are all where one range has no end, also what cannot be compared with another range', async () => {
    const from = (start: string): AffectedRange => ({
      type: 'SEMVER',
      events: [{ kind: 'introduced', version: start }],
    });
    const base = { type: 'npm', distribution: null, release: null, name: 'a', purl: null, versions: [] };
    const isAffected = await affectedVersions({ ...base, ranges: [from('1.0'), from('0')] }, now);
    expect(isAffected('junk ')).toBe('yes');
    const isLater = await affectedVersions({ ...base, ranges: [from('1.0')] }, now);
    expect(isLater('junk ')).toBe('unknown');
  });

  it('are found with some comparisons each, though a package has 5,000', async () => {
    const versions = Array.from({ length: 5_000 }, (_, i) => `1.${i}`);
    const ranges = [
      {
        type: 'ECOSYSTEM' as const,
        events: versions.map((version, i): RangeEvent => ({ kind: i % 2 === 0 ? 'introduced' : 'fixed', version })),
      },
    ];
    const affected = { type: 'maven', distribution: null, release: null, name: 'a', purl: null, ranges, versions: [] };
    let pauses = 0;
    const isAffected = await affectedVersions(await inOrder(affected), () => Promise.resolve(void (pauses += 1)));
    // Other work runs after some comparisons. Events that are already sorted are compared with their neighbours only.
    expect(pauses).toBeGreaterThan(5_000 / 16);
    expect(pauses).toBeLessThan((5 * 5_000) / 16);
    const answers = versions.map(isAffected);
    expect(answers.every((answer, i) => answer === (i % 2 === 0 ? 'yes' : 'no'))).toBe(true);
  });
});
