import type { EnvironmentArchived } from '@assurance/contracts/environments/events';
import type { FlowArchived } from '@assurance/contracts/flows/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';

interface Archivable {
  readonly archived: boolean;
}

/** Archives an environment. Repeating it changes nothing. The environment keeps its name. */
export function decideArchiveEnvironment({ archived }: Archivable): Decision<EnvironmentArchived, never> {
  return archived ? noChange : accepted({ type: 'EnvironmentArchived', version: 1, data: {} });
}

/** Archives a flow. Repeating it changes nothing (specification 4.9). */
export function decideArchiveFlow({ archived }: Archivable): Decision<FlowArchived, never> {
  return archived ? noChange : accepted({ type: 'FlowArchived', version: 1, data: {} });
}
