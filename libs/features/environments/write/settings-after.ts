import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { Decision } from '@assurance/kernel';

/** Nobody reports a logical environment. */
export const NOT_REPORTED = {
  kind: 'invalid',
  errors: { report_every: 'A logical environment is not reported: set it for its members' },
} as const;

/** An environment after a change of when it is expected to be reported; null after any other. */
export function settingsAfter(before: Environment, decision: Decision<EnvironmentEvent, unknown>): Environment | null {
  if (decision.kind !== 'events') return null;
  const updated = decision.events.find((event) => event.type === 'EnvironmentUpdated');
  const archived = decision.events.some(({ type }) => type === 'EnvironmentArchived');
  if (!archived && updated?.data.reportEvery === undefined) return null;
  return { ...before, ...updated?.data, archived };
}
