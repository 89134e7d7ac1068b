import { continuesRun } from './decide';
import type { DeploymentId } from './deployment';
import type { LiveDeployment } from './draft';
import type { Look } from './lines';

/** What decides in a group whether its deployments are needed. */
export interface GroupSummary {
  /** The snapshots in which something of it started, ascending. */
  readonly starts: readonly number[];
  /** Deployments whose departures are not settled. */
  readonly undecided: ReadonlySet<DeploymentId>;
}

/** The deployments of one fingerprint that are later than one of them. */
export class LaterDeployments {
  private place = 0;
  private moved: number;
  /** How many departures nothing replaced, by their looks. */
  private readonly unreplaced = new Map<string, number>();

  /** @param all oldest first */
  constructor(private readonly all: readonly LiveDeployment[]) {
    this.moved = all.filter(({ looks }) => looks.length > 1).length;
    for (const deployment of all) this.count(deployment, 1);
  }

  /** Goes on to the ones after a deployment: the first one, then each next one. @returns the first of them */
  after(deployment: LiveDeployment): LiveDeployment | undefined {
    this.place += 1;
    if (deployment.looks.length > 1) this.moved -= 1;
    this.count(deployment, -1);
    return this.next;
  }

  get next(): LiveDeployment | undefined {
    return this.all[this.place];
  }

  get hasMoved(): boolean {
    return this.moved > 0;
  }

  /** Whether one that began as a deployment ended left, and nothing replaced it. */
  hasUnreplaced({ looks }: LiveDeployment): boolean {
    return (this.unreplaced.get(keyOf(looks.at(-1))) ?? 0) > 0;
  }

  private count({ isDepartureSettled, completed, looks }: LiveDeployment, difference: number): void {
    if (this.all.length === 1 || !isDepartureSettled || completed !== null) return;
    const key = keyOf(looks[0]);
    this.unreplaced.set(key, (this.unreplaced.get(key) ?? 0) + difference);
  }
}

/**
 * Whether a deployment decides nothing any more.
 *
 * @param later later ones of its fingerprint
 * @param group what the group has
 */
export function isOver(
  deployment: LiveDeployment,
  later: LaterDeployments,
  { starts, undecided }: GroupSummary,
): boolean {
  const { end, isSettled, isDepartureSettled, completed, kind, replaced, looks } = deployment;
  if (end === null || !isSettled || !isDepartureSettled) return false;
  const { next } = later;
  if (next !== undefined && continuesFrom(next, deployment)) {
    if (kind === 'first' && replaced === null) return false;
    if (replaced !== null && undecided.has(replaced)) return false;
    if (looks.length > 1 || keyOf(looks[0]) !== keyOf(next.looks[0])) return false;
    // A start in the gap is no start while it ran.
    const firstStart = starts[firstFrom(starts, end.snapshot)];
    return firstStart === undefined || firstStart >= next.start.snapshot;
  }
  // What moved to another workload left one before.
  if (looks.length > 1 && !later.hasMoved) return false;
  // Of several departures that nothing replaced, the newest one decides.
  return completed !== null || (next !== undefined && later.hasUnreplaced(deployment));
}

/** Whether a restart goes on as the deployment before it, because the gap between them decides nothing any more. */
export function isOneRun(
  previous: LiveDeployment,
  deployment: LiveDeployment,
  next: LiveDeployment | undefined,
  { starts }: GroupSummary,
): boolean {
  if (next === undefined || !continuesFrom(deployment, previous) || !continuesFrom(next, deployment)) return false;
  for (const { isSettled, isDepartureSettled, completed, looks } of [previous, deployment])
    if (!isSettled || !isDepartureSettled || completed !== null || looks.length > 1) return false;
  if (keyOf(previous.looks[0]) !== keyOf(deployment.looks[0])) return false;
  const firstStart = starts[firstFrom(starts, previous.end?.snapshot ?? Infinity)];
  return firstStart === undefined || firstStart >= deployment.start.snapshot;
}

/** The place of the first snapshot from one on. */
function firstFrom(starts: readonly number[], snapshot: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Infinity) < snapshot) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function continuesFrom(next: LiveDeployment, deployment: LiveDeployment): boolean {
  return next.kind === 'restart' && continuesRun(next) && next.previousEnd?.snapshot === deployment.end?.snapshot;
}

/** The line and the workloads of a look as one text. */
function keyOf(look: Look | undefined): string {
  return look === undefined ? '' : `${look.line.key}\n${look.workloads?.join() ?? ''}`;
}
