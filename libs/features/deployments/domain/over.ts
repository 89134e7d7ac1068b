import { continuesRun } from './decide';
import type { Moment } from './deployment';
import type { LiveDeployment } from './draft';

/**
 * Whether a deployment decides nothing any more.
 *
 * @param later later ones of its fingerprint
 * @param all those of its group
 */
export function isOver(
  deployment: LiveDeployment,
  later: readonly LiveDeployment[],
  all: readonly LiveDeployment[],
): boolean {
  const { end, isSettled, isDepartureSettled, completed, kind, replaced, looks } = deployment;
  if (end === null || !isSettled || !isDepartureSettled) return false;
  const [next] = later;
  if (next !== undefined && continuesFrom(next, deployment)) {
    if (kind === 'first' && replaced === null) return false;
    if (all.some(({ id, isDepartureSettled: isFixed }) => id === replaced && !isFixed)) return false;
    if (looks.length > 1 || !isSameLook(deployment, next)) return false;
    // A start in the gap is no start while it ran.
    const isInGap = ({ snapshot }: Moment) => snapshot >= end.snapshot && snapshot < next.start.snapshot;
    return !all.some((other) => isInGap(other.start));
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
