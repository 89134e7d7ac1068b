// Checks whether made-up components have made-up vulnerabilities: their versions and package URLs are as tools that write SBOMs make them, and the
// tool of each ecosystem alone says what is right. It installs what it needs below `.cache`, and needs rpm, dpkg, Ruby, Go, Java, Maven and Python.
//   npm run check:verdicts            40 components of each ecosystem
//   npm run check:verdicts -- --all   300 of each
import affects from '@assurance/vulnerabilities/domain/affects';
import osv from '@assurance/vulnerabilities/domain/osv';
import purls from '@assurance/evidence/domain/purl';
import { conclude, tell } from './report.ts';
import { ECOSYSTEMS, type Ecosystem, type Order, type Pair } from './verdicts/ecosystems.ts';

const COMPONENTS = process.argv.includes('--all') ? 300 : 40;
/** Components that are compared with the same versions. */
const TOGETHER = 10;
/** Versions of which a package's entries are made. */
const VERSIONS = 12;

/** Numbers that are the same in each run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof numbersFrom>;
const one = <T>(all: readonly T[], random: Random): T => all[random(all.length)] as T;

/** Versions near one that was published: a number is another, or the ending is. */
function nearOf({ versions, endings }: Ecosystem, random: Random): readonly string[] {
  const base = one(versions, random);
  const all = new Set([base]);
  for (let tries = 0; all.size < VERSIONS && tries < 10 * VERSIONS; tries += 1) {
    const from = one([...all], random);
    if (endings.length > 0 && random(3) === 0) all.add(base + one(endings, random));
    else {
      const places = [...from.matchAll(/(?<![0-9a-f])[0-9]{1,6}(?![0-9a-f])/g)];
      const { 0: number = '', index = 0 } = places[random(places.length)] ?? {};
      const other = String(Math.max(0, Number(number) + one([-1, 1, 1, 9], random)));
      all.add(from.slice(0, index) + other + from.slice(index + number.length));
    }
  }
  return [...all];
}

/** The events of a range, in their order. */
interface Range {
  readonly introduced: string;
  readonly end: { readonly kind: 'fixed' | 'last_affected'; readonly version: string };
}

/** Whether a version is in a range, by the order of the tool. */
function isIn(
  version: string,
  { introduced, end: { kind, version: last } }: Range,
  order: (a: string, b: string) => number,
  software: (version: string) => string,
): boolean {
  if (introduced !== '0' && order(version, introduced) < 0) return false;
  if (kind === 'fixed') return order(version, last) < 0;
  return order(software(last) === last ? software(version) : version, last) <= 0;
}

const itself = (version: string): string => version;

/** The versions of a package that the tool takes, and its order of them. */
function orderedVersions(ecosystem: Ecosystem, pools: readonly (readonly string[])[]) {
  const { told = itself, software = itself } = ecosystem;
  const pairs = pools
    .map((pool) => [...new Set([...pool, ...pool.map(software)])])
    .flatMap((pool) => pool.flatMap((a) => pool.map((b): Pair => [a, b])));
  const orders = ecosystem.order(pairs.map(([a, b]): Pair => [told(a), told(b)]));
  if (orders.length !== pairs.length) throw new Error(`${ecosystem.name}: ${orders.length} of ${pairs.length} pairs`);
  const byPair = new Map<string, Order>(pairs.map(([a, b], i) => [`${a} ${b}`, orders[i] ?? null]));
  return {
    isVersion: (version: string) => byPair.get(`${version} ${version}`) === 0,
    order: (a: string, b: string) => byPair.get(`${a} ${b}`) ?? Number.NaN,
  };
}

const textOrder = (a: string, b: string): number => Number(a > b) - Number(a < b);

async function check(ecosystem: Ecosystem): Promise<void> {
  const { software = itself } = ecosystem;
  const random = numbersFrom(20_261_130);
  const pools = Array.from({ length: Math.ceil(COMPONENTS / TOGETHER) }, () => nearOf(ecosystem, random));
  const { isVersion, order } = orderedVersions(ecosystem, pools);
  const wrong: string[] = [];
  let affected = 0;
  let discriminating = 0;
  for (const pool of pools) {
    const versions = pool.filter(isVersion);
    const name = one(ecosystem.names, random);
    for (let i = 0; i < TOGETHER; i += 1) {
      const version = one(versions, random);
      const [first = version, last = version] = [one(versions, random), one(versions, random)].sort(order);
      const kind = one(['fixed', 'fixed', 'last_affected'] as const, random);
      const range: Range = { introduced: one(['0', first], random), end: { kind, version: last } };
      const events = [{ introduced: range.introduced }, { [kind]: last }];
      const entry = { ecosystem: listedEcosystem(ecosystem), name };
      const read = osv.readOsv({
        id: 'MADE-UP-1',
        modified: '2026-01-01T00:00:00Z',
        affected: [{ package: entry, ranges: [{ type: ecosystem.range, events }] }],
      });
      if (!read.ok) throw new Error(`${ecosystem.name}: ${JSON.stringify(read.refusal)}`);
      const url = one(ecosystem.written, random)({ name, version });
      const component = purls.readPurl(url);
      if (component === null) throw new Error(`${url} is no package URL`);
      const has = await affects.affectedComponents(read.value, () => Promise.resolve());
      const [told, right] = [await has(component), isIn(version, range, order, software) ? 'yes' : 'no'];
      if (right === 'yes') affected += 1;
      if (isIn(version, range, textOrder, software) !== (right === 'yes')) discriminating += 1;
      if (told !== right) wrong.push(`  ${url} ${JSON.stringify(events)}: ${told}, and by the tool ${right}`);
    }
  }
  const all = pools.length * TOGETHER;
  tell(wrong.length === 0, `${ecosystem.name}: ${all} components, ${affected} of them affected`, wrong.join('\n'));
  // A sample that another order answers as well would prove nothing.
  tell(
    affected > 0 && affected < all && discriminating > 0,
    `${ecosystem.name}: text order is wrong for ${discriminating}`,
  );
}

/** The standard library of Go is listed in the ecosystem of its modules. */
const listedEcosystem = ({ name }: Ecosystem): string => name.replace(/ \(.*\)$/, '');

for (const ecosystem of ECOSYSTEMS) await check(ecosystem);
conclude();
