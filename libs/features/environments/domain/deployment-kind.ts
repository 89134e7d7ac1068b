import type { DeploymentKind } from '@assurance/contracts/environments/events';

export type { DeploymentKind };

/** The kinds that figures count. */
export const COUNTED_KINDS = ['first', 'rollback', 'redeployment'] as const satisfies readonly DeploymentKind[];

/** Whether figures count a deployment. Baselines and restarts bring nothing new to an environment. */
export function isCounted(kind: DeploymentKind): boolean {
  return COUNTED_KINDS.some((counted) => counted === kind);
}
