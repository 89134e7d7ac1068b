import { compareRead, type ReadVersion, readVersion } from '@assurance/components/domain/versions/compare';
import { type Ecosystem, ecosystemOf } from '@assurance/components/domain/versions/ecosystem';
import { placeAmong } from '@assurance/components/domain/versions/order';
import type { AffectedRange, ListedPackage, RangeEvent } from '@assurance/contracts/vulnerabilities/events';
import { groupBy } from '@assurance/kernel';
import { sortAscending, COMPARED_TOGETHER } from './sort-ascending';

/** Whether a component has a vulnerability. It is `unknown` if the version or the package of the component does not decide it. */
export type Affects = 'yes' | 'no' | 'unknown';

/** Whether a version is affected. */
type IsAffected = (version: string) => Affects;

/** Returns `yes` if one answer is `yes`, else `unknown` if one answer is `unknown`. */
export function anyOf(answers: readonly Affects[]): Affects {
  return answers.includes('yes') ? 'yes' : answers.includes('unknown') ? 'unknown' : 'no';
}

/** A valid version in every ecosystem. A text that cannot be compared with it is not a version. */
const ANY_VERSION = '1';

/** Reads a version. It returns null if the text cannot be compared with versions. */
function readComparable(rules: Ecosystem, text: string): ReadVersion {
  const read = readVersion(rules, text);
  return compareRead(rules, read, readVersion(rules, ANY_VERSION)) === undefined ? null : read;
}

/** `0` comes before all versions. */
function isStart({ kind, version }: RangeEvent): boolean {
  return kind === 'introduced' && version === '0';
}

/** Omits ranges of commits: they cannot be compared with a version, and they repeat what other ranges and versions state. */
function comparableRanges({ type, ranges }: ListedPackage): readonly AffectedRange[] {
  const compared = ranges.filter((range) => range.type !== 'GIT');
  return type === 'bitnami' ? compared.map(withRevisions) : compared;
}

/** A revision that comes after all others. */
const LAST_REVISION = '-999999999';

/**
 * Bitnami lists versions of the software, and publishes each in several revisions. The last version that is affected is so in all of them: `6.2.0`
 * also stands for `6.2.0-3`.
 */
function withRevisions(range: AffectedRange): AffectedRange {
  const events = range.events.map(({ kind, version }) =>
    kind === 'last_affected' && !/-[0-9]+$/.test(version)
      ? { kind, version: version + LAST_REVISION }
      : { kind, version },
  );
  return { ...range, events };
}

/** Ranges of Bitnami are said to be SemVer, but a hyphen before a number is a revision there, not a pre-release. */
function rulesOf({ type }: ListedPackage, range: AffectedRange): Ecosystem {
  const ecosystem = ecosystemOf(type);
  return range.type === 'SEMVER' && ecosystem !== 'bitnami' ? 'npm' : ecosystem;
}

/** The events with one version, and how many ranges contain this version (`at`) and the versions after it (`after`). */
interface EventGroup {
  readonly read: ReadVersion;
  readonly at: number;
  readonly after: number;
}

/** An event and the index of its range. */
type RangedEvent = Pick<RangeEvent, 'kind'> & { readonly read: ReadVersion; readonly range: number };

/**
 * @param starts for each range, whether it contains the versions before all events
 * @param events sorted by version
 */
async function groupsOf(
  starts: readonly boolean[],
  events: readonly RangedEvent[],
  rules: Ecosystem,
  pause: () => Promise<void>,
): Promise<readonly EventGroup[]> {
  const holds = [...starts];
  let count = starts.filter(Boolean).length;
  const groups: EventGroup[] = [];
  for (let from = 0; from < events.length;) {
    const { read } = events[from] as RangedEvent;
    let to = from + 1;
    while (to < events.length && compareRead(rules, read, (events[to] as RangedEvent).read) === 0) {
      if (to % COMPARED_TOGETHER === 0) await pause();
      to += 1;
    }
    if (groups.length % COMPARED_TOGETHER === 0) await pause();
    const changes = new Map<number, { readonly at: boolean; readonly after: boolean }>();
    for (const { kind, range } of events.slice(from, to)) {
      const at = changes.get(range)?.at ?? holds[range] ?? false;
      changes.set(range, { at: kind === 'introduced' || (kind !== 'fixed' && at), after: kind === 'introduced' });
    }
    let at = count;
    for (const [range, change] of changes) {
      at += Number(change.at) - Number(holds[range]);
      count += Number(change.after) - Number(holds[range]);
      holds[range] = change.after;
    }
    groups.push({ read, at, after: count });
    from = to;
  }
  return groups;
}

/** Whether a version is before one of the limits of a range. */
async function isBeforeLimit(
  limits: readonly RangeEvent[],
  rules: Ecosystem,
  pause: () => Promise<void>,
): Promise<IsAffected> {
  if (limits.length === 0 || limits.some(({ version }) => version === '*')) return () => 'yes';
  const sorted = await ascendingVersions(versionsOf(limits), rules, pause);
  const [last, isSure] = [sorted.at(-1), sorted.length === limits.length];
  return (version) => {
    const order = last === undefined ? undefined : compareRead(rules, readVersion(rules, version), last);
    if (order !== undefined && order < 0) return 'yes';
    return order === undefined || !isSure ? 'unknown' : 'no';
  };
}

function versionsOf(events: readonly RangeEvent[]): readonly string[] {
  return events.map(({ version }) => version);
}

/** Returns the texts that are versions, sorted. */
async function ascendingVersions(texts: readonly string[], rules: Ecosystem, pause: () => Promise<void>) {
  const versions: ReadVersion[] = [];
  for (const [i, text] of texts.entries()) {
    if (i % COMPARED_TOGETHER === 0) await pause();
    const read = readComparable(rules, text);
    if (read !== null) versions.push(read);
  }
  return sortAscending(versions, (a, b) => compareRead(rules, a, b) ?? 0, pause);
}

/** Returns the events of a range that are compared with versions. */
function comparedEvents({ events }: AffectedRange): readonly RangeEvent[] {
  return events.filter((event) => event.kind !== 'limit' && !isStart(event));
}

/** Checks several ranges together. A version is compared with only some of their events. Each event must have a valid version. */
async function inAny(
  ranges: readonly AffectedRange[],
  rules: Ecosystem,
  pause: () => Promise<void>,
): Promise<IsAffected> {
  const starts = ranges.map(({ events }) => events.some(isStart));
  const count = starts.filter(Boolean).length;
  // If such a range starts before all versions and has no event to compare, then it contains every version.
  const holdsAll = ranges.some((range, i) => starts[i] === true && comparedEvents(range).length === 0);
  const events: RangedEvent[] = [];
  for (const [i, range] of ranges.entries()) {
    for (const { kind, version } of comparedEvents(range)) {
      if (events.length % COMPARED_TOGETHER === 0) await pause();
      events.push({ kind, read: readVersion(rules, version), range: i });
    }
  }
  const sorted = await sortAscending(events, (a, b) => compareRead(rules, a.read, b.read) ?? 0, pause);
  const groups = await groupsOf(starts, sorted, rules, pause);
  return (version) => {
    const read = readVersion(rules, version);
    const place = placeAmong(groups, (group) => compareRead(rules, read, group.read));
    if (place === undefined) return holdsAll ? 'yes' : 'unknown';
    const holds = place.isEqual ? groups[place.at]?.at : (groups[place.at - 1]?.after ?? count);
    return (holds ?? 0) > 0 ? 'yes' : 'no';
  };
}

/** Checks a range that has limits, or events without a valid version. */
async function inUnusual(range: AffectedRange, rules: Ecosystem, pause: () => Promise<void>): Promise<IsAffected> {
  const limits = range.events.filter(({ kind }) => kind === 'limit');
  const isBefore = await isBeforeLimit(limits, rules, pause);
  const otherEvents = comparedEvents(range);
  const isUnclear =
    otherEvents.some((event) => event.version !== otherEvents[0]?.version) &&
    (await ascendingVersions(versionsOf(otherEvents), rules, pause)).length < otherEvents.length;
  const isIn = isUnclear ? null : await inAny([range], rules, pause);
  return (version) => {
    const limit = isBefore(version);
    if (limit === 'no' || isIn === null) return limit === 'no' ? 'no' : 'unknown';
    const answer = isIn(version);
    return answer === 'yes' ? limit : answer;
  };
}

/** The most unusual ranges of a package. They are compared one by one; if there are more, the answer for all of them is `unknown`. */
const UNUSUAL_MAX = 20;

async function inRanges(
  ranges: readonly AffectedRange[],
  rules: Ecosystem,
  pause: () => Promise<void>,
): Promise<readonly IsAffected[]> {
  const [usual, unusual]: [AffectedRange[], AffectedRange[]] = [[], []];
  for (const range of ranges) {
    let isUsual = true;
    for (const [i, event] of range.events.entries()) {
      if (i % COMPARED_TOGETHER === 0) await pause();
      isUsual &&= isStart(event) || (event.kind !== 'limit' && readComparable(rules, event.version) !== null);
    }
    (isUsual ? usual : unusual).push(range);
  }
  const all: IsAffected[] = usual.length === 0 ? [] : [await inAny(usual, rules, pause)];
  if (unusual.length > UNUSUAL_MAX) return [...all, () => 'unknown'];
  for (const range of unusual) all.push(await inUnusual(range, rules, pause));
  return all;
}

/**
 * Finds which versions of a package are affected, by the evaluation of OSV. It prepares the package once, so that each component needs only a few
 * comparisons, even if the package has many versions and events.
 *
 * @see https://ossf.github.io/osv-schema/#evaluation
 * @param pause lets other work use the thread
 */
export async function affectedVersions(listedPackage: ListedPackage, pause: () => Promise<void>): Promise<IsAffected> {
  const ecosystem = ecosystemOf(listedPackage.type);
  const listedVersions = new Set(listedPackage.versions);
  const versions = await ascendingVersions(listedPackage.versions, ecosystem, pause);
  const ranges: IsAffected[] = [];
  for (const [rules, own] of groupBy(comparableRanges(listedPackage), (range) => rulesOf(listedPackage, range))) {
    ranges.push(...(await inRanges(own, rules, pause)));
  }
  return (version) => {
    if (listedVersions.has(version)) return 'yes';
    const read = readVersion(ecosystem, version);
    if (placeAmong(versions, (one) => compareRead(ecosystem, read, one))?.isEqual === true) return 'yes';
    if (ranges.length === 0) return listedVersions.size > 0 ? 'no' : 'unknown';
    return anyOf(ranges.map((isAffected) => isAffected(version)));
  };
}

/**
 * Sorts the versions of a package and the events of its ranges, so that `affectedVersions` need not sort them again. Texts that are not versions come
 * first.
 */
export async function inOrder(listedPackage: ListedPackage): Promise<ListedPackage> {
  const sorted = async <Item>(items: readonly Item[], rules: Ecosystem, textOf: (item: Item) => string) => {
    const all = items.map((item) => {
      const read = readComparable(rules, textOf(item));
      return { item, read, rank: Number(read !== null) };
    });
    const compare = (one: (typeof all)[number], other: (typeof all)[number]) =>
      one.rank - other.rank || (one.rank === 0 ? 0 : (compareRead(rules, one.read, other.read) ?? 0));
    return (await sortAscending(all, compare, () => Promise.resolve())).map(({ item }) => item);
  };
  const ranges: AffectedRange[] = [];
  for (const range of listedPackage.ranges) {
    const events =
      range.type === 'GIT'
        ? range.events
        : await sorted(range.events, rulesOf(listedPackage, range), ({ version }) => version);
    ranges.push({ ...range, events });
  }
  return {
    ...listedPackage,
    ranges,
    versions: await sorted(listedPackage.versions, ecosystemOf(listedPackage.type), (text) => text),
  };
}
