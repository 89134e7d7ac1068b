import { compareVersions } from './compare';
import type { Ecosystem } from './ecosystem';
import { composer, cran, gem, maven, pypi } from './tables/languages';
import { bitnami, cargo, generic, golang, npm, nuget } from './tables/semver';
import { apk, deb, rpm } from './tables/systems';

const TABLES: Readonly<Record<Ecosystem, string>> = {
  npm,
  maven,
  pypi,
  golang,
  deb,
  rpm,
  apk,
  gem,
  nuget,
  cargo,
  composer,
  cran,
  bitnami,
  generic,
};
const ECOSYSTEMS = Object.keys(TABLES) as Ecosystem[];

interface Row {
  readonly a: string;
  readonly sign: string;
  readonly b: string;
}

/** Reads chains: `1 < 1.1 = 1.1.0` is two rows. */
function rowsOf(table: string): Row[] {
  return table.split('\n').flatMap((line) => {
    const words = line.trim().split(' ');
    return words.flatMap((sign, at) =>
      at % 2 === 1 ? [{ a: words[at - 1] ?? '', sign, b: words[at + 1] ?? '' }] : [],
    );
  });
}

function signOf(order: number | undefined): string {
  return order === undefined ? 'no order' : order < 0 ? '<' : order > 0 ? '>' : '=';
}

/** Texts that are so long that a time that grows faster than their length would show. */
const HOSTILE = [
  '1',
  '1.',
  '1-',
  'a',
  'a1',
  '~',
  '^',
  '_p',
  ':',
  '.0',
  '-0',
  '0',
  '1.0-alpha.',
  '+',
  '!',
  ' ',
  '_alpha1~',
];

describe.each(ECOSYSTEMS)('versions of %s', (ecosystem) => {
  const rows = rowsOf(TABLES[ecosystem]);
  const versions = [...new Set(rows.flatMap(({ a, b }) => [a, b]))];
  const orders = versions.map((a) => versions.map((b) => Math.sign(compareVersions(ecosystem, a, b) ?? NaN)));

  it.each(rows)('$a $sign $b', ({ a, sign, b }) => {
    expect(signOf(compareVersions(ecosystem, a, b))).toBe(sign);
  });

  it('has a table of at least 60 comparisons', () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
  });

  it('orders each pair of the table the other way round when they are swapped', () => {
    const unequal = versions.flatMap((a, left) =>
      versions
        .filter((_, right) => (orders[left]?.[right] ?? NaN) + (orders[right]?.[left] ?? NaN) !== 0)
        .map((b) => [a, b]),
    );
    expect(unequal).toEqual([]);
  });

  it('orders the table transitively', () => {
    const broken: string[] = [];
    for (const [a, ofA] of orders.entries()) {
      for (const [b, ab] of ofA.entries()) {
        for (const [c, bc] of (orders[b] ?? []).entries()) {
          const ac = ofA[c] ?? NaN;
          if (ab <= 0 && bc <= 0 && (ac > 0 || (ac === 0 && ab + bc < 0))) {
            broken.push([versions[a], versions[b], versions[c]].join(' '));
          }
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it('compares versions of 256 characters and none that are longer', () => {
    expect(compareVersions(ecosystem, `1.${'0'.repeat(253)}1`, `1.${'0'.repeat(254)}`)).not.toBe(NaN);
    expect(compareVersions(ecosystem, '1'.repeat(257), '1')).toBeUndefined();
    expect(compareVersions(ecosystem, '1', `1.${'0'.repeat(1_000_000)}`)).toBeUndefined();
    expect(compareVersions(ecosystem, '', '')).toBeUndefined();
  });

  it.each(HOSTILE)('ends for repetitions of %j', (piece) => {
    const long = piece.repeat(Math.ceil(100_000 / piece.length));
    const longest = long.slice(0, 256);
    expect(compareVersions(ecosystem, long, longest)).toBeUndefined();
    const order = compareVersions(ecosystem, longest, longest);
    expect([0, undefined]).toContain(order);
    expect(signOf(compareVersions(ecosystem, longest.slice(1), longest))).toMatch(/^([<=>]|no order)$/);
  });
});

describe('texts that are no versions', () => {
  it.each<[Ecosystem, string]>([
    ['npm', 'latest'],
    ['npm', '1.2.3.4'],
    ['npm', '01.2.3'],
    ['npm', 'git+https://example.com/a.git#main'],
    ['cargo', '1.0.0-'],
    ['golang', '(devel)'],
    ['golang', 'master'],
    ['pypi', '1.0-final-x'],
    ['pypi', 'french toast'],
    ['pypi', '1.0+'],
    ['deb', '1.0_1'],
    ['deb', 'a:1'],
    ['deb', ':1'],
    ['deb', '1-'],
    ['rpm', 'a:1'],
    ['rpm', '1.0 1'],
    ['apk', '1.0-1'],
    ['apk', '1.0_x'],
    ['gem', '1.0_1'],
    ['gem', 'junk'],
    ['nuget', '1.2.3.4.5'],
    ['nuget', '[1.0,2.0)'],
    ['composer', 'dev-main'],
    ['composer', '1.x-dev'],
    ['cran', '1.0b'],
    ['cran', '1..0'],
    ['cran', '-1'],
    ['bitnami', '1.0_1'],
    ['bitnami', 'latest'],
    ['generic', '1.0_final'],
  ])('gives no order: %s %s', (ecosystem, text) => {
    expect(compareVersions(ecosystem, text, '1.0.0')).toBeUndefined();
    expect(compareVersions(ecosystem, '1.0.0', text)).toBeUndefined();
  });

  it('equal themselves where no rule of an ecosystem applies', () => {
    expect(compareVersions('generic', 'r1_final', 'r1_final')).toBe(0);
  });
});
