import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { addTo, groupBy } from '@assurance/kernel';
import { DAY, type DeploymentFacts, type DeploymentId, type FirstRun, type Moment } from './deployment';
import { isOneLine, type Look, mayBeIn } from './lines';
import { matchDepartures, type Past } from './pairs';
import { isJob, type Workload } from './workloads';

/** A deployment of the group that is decided, with what earlier decisions settled. */
export interface Candidate extends DeploymentFacts {
  /** One for each appearance. */
  readonly looks: readonly Look[];
  /** The snapshot in which its run began: earlier than its start where it returned and the gap decides nothing any more. */
  readonly runSince: number;
  readonly kind: DeploymentKind;
  /** Whether its kind is settled. */
  readonly isSettled: boolean;
  /** Whether it is settled that its departure is one, and what it completed. */
  readonly isDepartureSettled: boolean;
  /** The deployment that its departure completed; null if none. */
  readonly completed: DeploymentId | null;
  /** The departure that it completed, so far. */
  readonly replaced: DeploymentId | null;
}

/** The kinds of deployments that were not settled, and the deployment that each departure completes. */
export interface GroupDecision {
  readonly kinds: ReadonlyMap<Candidate, DeploymentKind>;
  readonly completed: ReadonlyMap<Candidate, DeploymentId>;
}

/** What left, or moved to another workload, with the end of its run. */
interface Leaver {
  readonly deployment: Candidate;
  readonly end: Moment | null;
}

/**
 * Decides the deployments of one group of connected lines (specification 4.1): pairs, then at once every return whose place nothing took becomes a
 * restart, until a round finds none.
 *
 * @param all every deployment of the group that may still decide something, oldest first
 */
export function decideGroup(all: readonly Candidate[]): GroupDecision {
  const group = new Group(all);
  for (;;) {
    const idle = group.undecidedReturns().filter((deployment) => group.successors(deployment).next().done);
    if (idle.length === 0) return group.decision();
    group.addRestarts(idle);
  }
}

/** Whether a deployment follows an earlier one of its fingerprint, in one run, if it is a restart. */
export function continuesRun({ previousEnd, start }: DeploymentFacts): boolean {
  return previousEnd !== null && start.at - previousEnd.at <= DAY;
}

/**
 * The deployments of a run that ends with a departure.
 *
 * @param all those of its fingerprint, oldest first
 */
export function runEndingWith<T extends DeploymentFacts>(
  departure: T,
  all: readonly T[],
  isRestart: (deployment: T) => boolean,
): readonly T[] {
  const run = [departure];
  for (let place = all.indexOf(departure) - 1, last = departure; place >= 0; place -= 1) {
    const previous = all[place];
    if (previous === undefined || !isRestart(last) || !continuesRun(last)) break;
    if (previous.end?.snapshot !== last.previousEnd?.snapshot) break;
    run.push(previous);
    last = previous;
  }
  return run;
}

/** Whether an artifact first ran after another one. Two baselines are a tie. */
function isNewer(a: FirstRun, b: FirstRun): boolean {
  if (a.snapshot !== b.snapshot) return a.snapshot > b.snapshot;
  return !a.isBaseline && a.isStartKnown && a.deployedAt > b.deployedAt;
}

class Group {
  private readonly byFingerprint: ReadonlyMap<string, readonly Candidate[]>;
  private readonly places = new Map<Candidate, number>();
  private readonly restarts = new Set<Candidate>();
  private readonly settledPairs = new Map<Candidate, DeploymentId>();
  private readonly settledReplacements: ReadonlySet<DeploymentId>;
  private completed: ReadonlyMap<Candidate, DeploymentId> = new Map();
  /** The end of each deployment's run. */
  private readonly ends = new Map<Candidate, Moment | null>();
  /** Oldest first. */
  private leavers: readonly Leaver[] = [];
  /** The latest end of each leaver and of those before it. */
  private latestEnds: readonly number[] = [];

  constructor(private readonly all: readonly Candidate[]) {
    this.byFingerprint = groupBy(all, ({ fingerprint }) => fingerprint);
    for (const own of this.byFingerprint.values())
      for (const [place, deployment] of own.entries()) this.places.set(deployment, place);
    for (const deployment of all) {
      if (deployment.isSettled && deployment.kind === 'restart') this.restarts.add(deployment);
      if (deployment.isDepartureSettled && deployment.completed !== null)
        this.settledPairs.set(deployment, deployment.completed);
    }
    const undecided = new Set(all.flatMap(({ id, isDepartureSettled }) => (isDepartureSettled ? [] : [id])));
    const replacements = all.filter(({ replaced }) => replaced !== null && !undecided.has(replaced));
    this.settledReplacements = new Set(replacements.map(({ id }) => id));
    this.pair();
  }

  addRestarts(deployments: readonly Candidate[]): void {
    for (const deployment of deployments) this.restarts.add(deployment);
    this.pair();
  }

  undecidedReturns(): Candidate[] {
    return this.all.filter(
      (deployment) => !deployment.isSettled && deployment.previousEnd !== null && !this.restarts.has(deployment),
    );
  }

  decision(): GroupDecision {
    const unsettled = this.all.filter(({ isSettled }) => !isSettled);
    return {
      kinds: new Map(unsettled.map((deployment) => [deployment, this.kindOf(deployment)])),
      completed: this.completed,
    };
  }

  /** Others that took the place of a deployment before it returned. */
  *successors(deployment: Candidate): Generator<Candidate, void> {
    const { start, previousEnd, fingerprint } = deployment;
    if (previousEnd === null) return;
    for (let i = this.firstFrom(start.snapshot) - 1; (this.latestEnds[i] ?? -1) > previousEnd.snapshot; i -= 1) {
      const leaver = this.leavers[i];
      if (leaver === undefined) return;
      const other = leaver.deployment;
      if (other.fingerprint === fingerprint || (other.end?.snapshot ?? Infinity) <= previousEnd.snapshot) continue;
      if (this.tookPlace(deployment, leaver, previousEnd.snapshot)) yield other;
    }
  }

  /** The place of the first leaver that started in a snapshot or later. */
  private firstFrom(snapshot: number): number {
    let [low, high] = [0, this.leavers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.leavers[middle]?.deployment.start.snapshot ?? Infinity) < snapshot) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private kindOf(deployment: Candidate): DeploymentKind {
    if (deployment.isBaseline) return 'baseline';
    if (deployment.previousEnd === null) return 'first';
    if (this.restarts.has(deployment)) return 'restart';
    for (const { first } of this.successors(deployment)) if (isNewer(first, deployment.first)) return 'rollback';
    return 'redeployment';
  }

  /** Matches the departures of all snapshots. */
  private pair(): void {
    this.findEnds();
    const departures = new Map<number, Candidate[]>();
    for (const deployment of this.all) {
      const { end, isDepartureSettled } = deployment;
      if (end !== null && !isDepartureSettled && this.ends.get(deployment) === end)
        addTo(departures, end.snapshot, deployment);
    }
    const completed = new Map(this.settledPairs);
    const replacements = new Set(this.settledReplacements);
    let [open, next]: [Candidate[], number] = [[], 0];
    const isOpen = (deployment: Candidate) => !replacements.has(deployment.id);
    for (const [snapshot, departed] of [...departures].sort(([a], [b]) => a - b)) {
      for (; (this.all[next]?.start.snapshot ?? Infinity) <= snapshot; next += 1) {
        const started = this.all[next];
        if (started !== undefined && !started.isBaseline && !this.restarts.has(started)) open.push(started);
      }
      open = open.filter((one) => isOpen(one) && (this.ends.get(one)?.snapshot ?? Infinity) > snapshot);
      const present = open.flatMap((deployment) => {
        const run = this.presentIn(deployment, snapshot);
        return run === null ? [] : [{ deployment, present: run }];
      });
      for (const [departure, deployment] of matchDepartures(departed, present, (one) => this.pastOf(one))) {
        completed.set(departure, deployment.id);
        replacements.add(deployment.id);
      }
    }
    this.completed = completed;
  }

  /** Finds where runs end, and what left or moved. */
  private findEnds(): void {
    this.ends.clear();
    for (const deployment of this.all.toReversed()) {
      const next = this.continuation(deployment);
      this.ends.set(deployment, next === undefined ? deployment.end : (this.ends.get(next) ?? null));
    }
    this.leavers = this.all.flatMap((deployment) => {
      const end = this.ends.get(deployment) ?? null;
      const isMoving = deployment.looks.length > 1 || end !== deployment.end;
      return end !== null || isMoving ? [{ deployment, end }] : [];
    });
    let latest = -Infinity;
    this.latestEnds = this.leavers.map(
      ({ deployment: { end } }) => (latest = Math.max(latest, end?.snapshot ?? Infinity)),
    );
  }

  private tookPlace(deployment: Candidate, { deployment: other, end }: Leaver, since: number): boolean {
    const [look] = deployment.looks;
    if (look === undefined) return false;
    for (const [i, appearance] of other.looks.entries()) {
      const [from, until] = [
        other.appearances[i]?.from.snapshot ?? 0,
        other.appearances[i + 1]?.from.snapshot ?? Infinity,
      ];
      if (until <= since || from >= deployment.start.snapshot || !isOneLine(look, appearance)) continue;
      const hasLeft = (left: Moment | null) => left !== null && this.hasLeftFor(deployment, other, left);
      const { workloads } = look;
      if (workloads === null || appearance.workloads === null) {
        if (hasLeft(end)) return true;
        continue;
      }
      for (const workload of appearance.workloads) {
        if (workloads.includes(workload) ? hasLeft(this.endIn(other, i, workload)) : !isJob(workload) && hasLeft(end))
          return true;
      }
    }
    return false;
  }

  /** Whether another one left within a day after a return, and its departure completed that return or nothing. */
  private hasLeftFor(deployment: Candidate, other: Candidate, left: Moment): boolean {
    if (left.at - deployment.start.at > DAY) return false;
    let last: Candidate | undefined = other;
    while (last !== undefined && last.end?.snapshot !== left.snapshot) last = this.next(last);
    const completed = last === undefined ? undefined : this.completed.get(last);
    return completed === undefined || completed === deployment.id;
  }

  /** When an artifact leaves a workload, in which it appears, for more than a day; null if it does not. */
  private endIn(deployment: Candidate, appearance: number, workload: Workload): Moment | null {
    let left: Moment | null = null;
    for (let run: Candidate | undefined = deployment; run !== undefined; run = this.continuation(run)) {
      const first = run === deployment ? appearance : 0;
      for (let i = first; i < run.looks.length; i += 1) {
        const [look, from] = [run.looks[i], run.appearances[i]?.from];
        if (look === undefined || from === undefined) continue;
        if (left !== null && from.at - left.at > DAY) return left;
        if (mayBeIn(look, workload)) left = null;
        else left ??= from;
      }
      left ??= run.end;
    }
    return left;
  }

  /** What runs of a deployment in a snapshot: itself, or a restart that continues its run; null where it does not run. */
  private presentIn(deployment: Candidate, snapshot: number): Candidate | null {
    for (let run: Candidate | undefined = deployment; run !== undefined; run = this.continuation(run)) {
      if (run.start.snapshot > snapshot) return null;
      if (run.end === null || run.end.snapshot > snapshot) return run;
    }
    return null;
  }

  private pastOf(departure: Candidate): Past<Candidate> {
    const all = this.byFingerprint.get(departure.fingerprint) ?? [];
    return { all, run: runEndingWith(departure, all, (deployment) => this.restarts.has(deployment)) };
  }

  private continuation(deployment: Candidate): Candidate | undefined {
    const next = this.next(deployment);
    const isNext = next !== undefined && next.previousEnd?.snapshot === deployment.end?.snapshot;
    return isNext && continuesRun(next) && this.restarts.has(next) ? next : undefined;
  }

  private next(deployment: Candidate): Candidate | undefined {
    return this.byFingerprint.get(deployment.fingerprint)?.[(this.places.get(deployment) ?? 0) + 1];
  }
}
