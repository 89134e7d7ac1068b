import type { DeploymentKind } from '@assurance/contracts/environments/events';

export type { DeploymentKind };

/** The kinds that figures count. */
export const COUNTED_KINDS = ['first', 'rollback', 'redeployment'] as const satisfies readonly DeploymentKind[];

/** Whether figures count a deployment. Baselines and restarts bring nothing new to an environment. */
export function isCounted(kind: DeploymentKind): boolean {
  return COUNTED_KINDS.some((counted) => counted === kind);
}

/** When an artifact started in an environment. */
export interface Start {
  readonly snapshot: number;
  /** Epoch seconds: orders the starts of one snapshot. */
  readonly deployedAt: number;
}

/** The first and the last start of an artifact before a deployment. */
export interface Starts {
  readonly first: Start;
  readonly last: Start;
}

/** Whether a start came after another one of the same environment. */
export function startedAfter(a: Start, b: Start): boolean {
  return a.snapshot === b.snapshot ? a.deployedAt > b.deployedAt : a.snapshot > b.snapshot;
}

/**
 * The kind of a deployment. It is determined at the start, and later departures do not change it.
 *
 * @param isBaseline whether its snapshot is that of the environment's first report
 * @param starts earlier starts of the same artifact here; null where it never ran here
 * @param predecessor starts of the previous artifact of its line: another artifact of the line, the last one that started before its snapshot.
 *   Null if there is none. An artifact that started before `own.last` may be left out.
 */
export function deploymentKind(isBaseline: boolean, starts: Starts | null, predecessor: Starts | null): DeploymentKind {
  if (isBaseline) return 'baseline';
  if (starts === null) return 'first';
  if (predecessor === null || !startedAfter(predecessor.last, starts.last)) return 'restart';
  return startedAfter(predecessor.first, starts.first) ? 'rollback' : 'redeployment';
}
