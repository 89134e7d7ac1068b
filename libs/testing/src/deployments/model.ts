/** A naive model of DECISIONS, "Deployments (4.1, 4.5)". */
import {
  areOtherJobs,
  baseName,
  compare,
  connectedWith,
  historiesOf,
  isIn,
  isOneLine,
  placesOf,
  shareWorkload,
  type Running,
  type Snapshot,
} from './snapshots';

export interface ModelWorkload {
  readonly id: string;
  readonly isJob: boolean;
}
/** One instance; `startedAt` is its earliest known start in seconds, or the report's time; null means unknown. */
export interface ModelItem {
  readonly fingerprint: string;
  readonly name: string;
  readonly startedAt: number;
  readonly workloads: readonly ModelWorkload[] | null;
  readonly namespaces: readonly string[] | null;
}
/** `revival` marks the first report after an archive. */
export interface ModelReport {
  readonly at: number;
  readonly items: readonly ModelItem[];
  readonly revival?: boolean;
}
export interface ModelOrigin {
  readonly repo: string | null;
  readonly flow: string | null;
  readonly template: string | null;
}
export type ModelKind = 'baseline' | 'first' | 'restart' | 'rollback' | 'redeployment';
export interface ModelDeployment {
  readonly snapshot: number;
  readonly fingerprint: string;
  readonly name: string;
  readonly deployedAt: number;
  readonly kind: ModelKind;
  readonly kindFinal: boolean;
  readonly replaced: { readonly fingerprint: string; readonly snapshotIndex: number } | null;
}
/** The first report of a fingerprint; null where no flow reported it. */
export type OriginOf = (fingerprint: string) => ModelOrigin | null;

/** A deployment: `index` counts snapshots of one history from 0; `leftAt` is where a return had left before. */
interface Start {
  readonly index: number;
  readonly item: Running;
  readonly leftAt: number | null;
}
interface Pair {
  readonly start: Start;
  readonly departed: Running;
  readonly at: number;
}

const DAY = 86_400;
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

function judgeHistory(snapshots: readonly Snapshot[], now: number, originOf: OriginOf): ModelDeployment[] {
  const itemAt = (fingerprint: string, index: number) => snapshots[index]?.items.get(fingerprint);
  const elapsed = (from: number, to: number): number => snapshots[to]!.at - snapshots[from]!.at;
  const ranIn = (fingerprint: string, from: number, to: number): number[] =>
    range(from, to).filter((index) => itemAt(fingerprint, index));
  const starts: Start[] = snapshots.flatMap(({ items }, index) =>
    [...items.values()]
      .filter(({ fingerprint }) => !itemAt(fingerprint, index - 1))
      .map((item) => ({
        index,
        item,
        leftAt:
          ranIn(item.fingerprint, 0, index)
            .map((last) => last + 1)
            .at(-1) ?? null,
      })),
  );
  const latestStart = (fingerprint: string, before: number): Start =>
    starts.findLast(({ index, item }) => item.fingerprint === fingerprint && index < before)!;
  const restarts = new Set<Start>();

  /** The snapshot in which the run that covers `index` ends; Infinity while it goes on. */
  const endOfRun = (fingerprint: string, index: number): number => {
    const end = range(index, snapshots.length).find((i) => !itemAt(fingerprint, i)) ?? Infinity;
    const back = starts.find(({ item, leftAt }) => item.fingerprint === fingerprint && leftAt === end);
    return back && restarts.has(back) && elapsed(end, back.index) <= DAY ? endOfRun(fingerprint, back.index) : end;
  };

  const isOpen = (start: Start, departed: Running, at: number): boolean => {
    const {
      index,
      item: { fingerprint },
      leftAt,
    } = start;
    if (index > at || index === 0 || restarts.has(start) || endOfRun(fingerprint, index) <= at) return false;
    const present = itemAt(fingerprint, at);
    if (!present || !isOneLine(departed, present, originOf) || areOtherJobs(departed, present)) return false;
    if (index < at && !(itemAt(departed.fingerprint, index) && endOfRun(departed.fingerprint, index) === at))
      return false;
    return leftAt === null || (elapsed(index, at) <= DAY && ranIn(departed.fingerprint, leftAt, index).length > 0);
  };
  const rank = (a: Pair, b: Pair): number => {
    const present = ({ start, at }: Pair): Running => itemAt(start.item.fingerprint, at)!;
    const best = (holds: (pair: Pair) => boolean): number => Number(holds(b)) - Number(holds(a));
    return (
      best((pair) => shareWorkload(pair.departed, present(pair))) ||
      best((pair) => baseName(pair.departed.name) === baseName(present(pair).name)) ||
      best(({ start, at }) => start.index === at) ||
      b.start.item.start - a.start.item.start ||
      compare(a.start.item.name, b.start.item.name) ||
      compare(a.start.item.fingerprint, b.start.item.fingerprint) ||
      latestStart(b.departed.fingerprint, b.at).item.start - latestStart(a.departed.fingerprint, a.at).item.start ||
      compare(a.departed.name, b.departed.name) ||
      compare(a.departed.fingerprint, b.departed.fingerprint)
    );
  };
  const findPairs = (): Pair[] =>
    range(1, snapshots.length).reduce<Pair[]>((pairs, at) => {
      const departures = [...snapshots[at - 1]!.items.values()].filter(
        (item) => endOfRun(item.fingerprint, at - 1) === at,
      );
      const candidates = departures
        .flatMap((departed) =>
          starts.filter((start) => isOpen(start, departed, at)).map((start) => ({ start, departed, at })),
        )
        .sort(rank);
      for (const next of candidates)
        if (!pairs.some(({ start, departed }) => start === next.start || departed === next.departed)) pairs.push(next);
      return pairs;
    }, []);

  /** Where `fingerprint`, which ran in workload `id` at `index`, left it; Infinity if it did not. */
  const endInWorkload = (fingerprint: string, id: string, index: number): number => {
    const runsInIt = (i: number): boolean => {
      const item = itemAt(fingerprint, i);
      return item !== undefined && isIn(item, id);
    };
    const left = range(index, snapshots.length).find((i) => !runsInIt(i)) ?? Infinity;
    const back = range(left, snapshots.length).find(runsInIt);
    const isBack = back !== undefined && elapsed(left, back) <= DAY && endOfRun(fingerprint, index) > back;
    return isBack ? endInWorkload(fingerprint, id, back) : left;
  };
  /** Whether `other`, which ran at `index`, took the place of what returned. */
  const tookPlace = (comeback: Start, other: Running, index: number, pairs: readonly Pair[]): boolean => {
    const { item } = comeback;
    const hasLeft = (end: number): boolean =>
      end < Infinity &&
      elapsed(comeback.index, end) <= DAY &&
      pairs.every(
        ({ start, departed, at }) => departed.fingerprint !== other.fingerprint || at !== end || start === comeback,
      );
    const leftEnvironment = hasLeft(endOfRun(other.fingerprint, index));
    if (!item.workloads || !other.workloads) return leftEnvironment;
    return other.workloads.some(({ id, isJob }) =>
      isIn(item, id) ? hasLeft(endInWorkload(other.fingerprint, id, index)) : !isJob && leftEnvironment,
    );
  };
  /** What ran, of the line of a return, while it was away. */
  const lineDuring = ({ index, item, leftAt }: Start) =>
    range(leftAt ?? index, index).flatMap((i) =>
      [...snapshots[i]!.items.values()]
        .filter((other) => isOneLine(item, other, originOf))
        .map((other) => ({ other, i })),
    );
  const successors = (start: Start, pairs: readonly Pair[]): string[] =>
    lineDuring(start)
      .filter(({ other, i }) => tookPlace(start, other, i, pairs))
      .map(({ other }) => other.fingerprint);

  let pairs = findPairs();
  for (;;) {
    const idle = starts.filter(
      (start) => start.leftAt !== null && !restarts.has(start) && successors(start, pairs).length === 0,
    );
    if (idle.length === 0) break;
    idle.forEach((start) => restarts.add(start));
    pairs = findPairs();
  }

  const isNewer = (fingerprint: string, than: string): boolean => {
    const [a, b] = [fingerprint, than].map((each) => starts.find(({ item }) => item.fingerprint === each)!) as [
      Start,
      Start,
    ];
    return (
      a.index > b.index || (a.index === b.index && a.index > 0 && a.item.isStartKnown && a.item.start > b.item.start)
    );
  };
  const kindOf = (start: Start): ModelKind => {
    if (start.leftAt === null) return start.index === 0 ? 'baseline' : 'first';
    if (restarts.has(start)) return 'restart';
    return successors(start, pairs).some((other) => isNewer(other, start.item.fingerprint))
      ? 'rollback'
      : 'redeployment';
  };
  /** Final when more than a day has passed, at some time since, in which nothing connected came, left or moved. [15-17] */
  const isFinal = (start: Start): boolean =>
    start.leftAt === null ||
    lineDuring(start).length === 0 ||
    range(start.index, snapshots.length).some((last) => {
      const group = connectedWith(start.item.fingerprint, snapshots.slice(0, last + 1), originOf);
      const latest =
        range(start.index + 1, last + 1).findLast((i) =>
          group.some((each) => placesOf(itemAt(each, i)) !== placesOf(itemAt(each, i - 1))),
        ) ?? start.index;
      return (snapshots[last + 1]?.at ?? now) - snapshots[latest]!.at > DAY;
    });
  return starts
    .map((start) => {
      const { fingerprint, name, start: deployedAt } = start.item;
      const pair = pairs.find((each) => each.start === start);
      const replaced = pair
        ? { fingerprint: pair.departed.fingerprint, snapshotIndex: snapshots[pair.at - 1]!.number }
        : null;
      const snapshot = snapshots[start.index]!.number;
      return { snapshot, fingerprint, name, deployedAt, kind: kindOf(start), kindFinal: isFinal(start), replaced };
    })
    .sort(
      (a, b) =>
        a.snapshot - b.snapshot ||
        a.deployedAt - b.deployedAt ||
        compare(a.name, b.name) ||
        compare(a.fingerprint, b.fingerprint),
    );
}

/** The deployments of one environment, oldest first, as they are judged at its newest report. */
export function modelDeployments(reports: readonly ModelReport[], originOf: OriginOf): readonly ModelDeployment[] {
  return historiesOf(reports).flatMap((snapshots) => judgeHistory(snapshots, reports.at(-1)!.at, originOf));
}

/** The figures of a window's deployments. The rate is rollbacks by changes, at most 1, and null without changes. */
export function modelFigures(deployments: readonly ModelDeployment[]) {
  const count = (...kinds: ModelKind[]): number => deployments.filter(({ kind }) => kinds.includes(kind)).length;
  const changes = count('first', 'redeployment');
  const rollbacks = count('rollback');
  return {
    changes,
    rollbacks,
    deployments: changes + rollbacks,
    changeFailureRate: changes === 0 ? null : Math.min(1, rollbacks / changes),
  };
}
