import { continuesRun } from './decide';
import type { DeploymentId } from './deployment';
import type { LiveDeployment } from './draft';

/** What decides in a group whether its deployments are needed. */
export interface GroupSummary {
  /** The snapshots in which something of it started. */
  readonly starts: ReadonlySet<number>;
  /** Deployments whose departures are not settled. */
  readonly undecided: ReadonlySet<DeploymentId>;
}

/**
 * Whether a deployment decides nothing any more.
 *
 * @param later later ones of its fingerprint
 * @param group what the group has
 */
export function isOver(
  deployment: LiveDeployment,
  later: readonly LiveDeployment[],
  { starts, undecided }: GroupSummary,
): boolean {
  const { end, isSettled, isDepartureSettled, completed, kind, replaced, looks } = deployment;
  if (end === null || !isSettled || !isDepartureSettled) return false;
  const [next] = later;
  if (next !== undefined && continuesFrom(next, deployment)) {
    if (kind === 'first' && replaced === null) return false;
    if (replaced !== null && undecided.has(replaced)) return false;
    if (looks.length > 1 || !isSameLook(deployment, next)) return false;
    // A start in the gap is no start while it ran.
    for (const start of starts) if (start >= end.snapshot && start < next.start.snapshot) return false;
    return true;
  }
  // What moved to another workload left one before.
  if (looks.length > 1 && !later.some((one) => one.looks.length > 1)) return false;
  // Of several departures that nothing replaced, the newest one decides.
  return (
    completed !== null ||
    later.some((one) => one.isDepartureSettled && one.completed === null && isSameLook(deployment, one))
  );
}

export function continuesFrom(next: LiveDeployment, deployment: LiveDeployment): boolean {
  return next.kind === 'restart' && continuesRun(next) && next.previousEnd?.snapshot === deployment.end?.snapshot;
}

function isSameLook(a: LiveDeployment, b: LiveDeployment): boolean {
  const [left, right] = [a.looks.at(-1), b.looks[0]];
  return left?.line === right?.line && left?.workloads?.join() === right?.workloads?.join();
}
