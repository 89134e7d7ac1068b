import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentSettings, EnvironmentUpdated } from '@assurance/contracts/environments/events';
import { accepted, changedOf, type Decision, nothing } from '@assurance/kernel';
import { changedEvery } from './put-environment';

export type PatchEnvironment = Partial<
  Pick<EnvironmentSettings, 'description' | 'includeScaling' | 'includedEnvironments' | 'reportEvery'>
>;

/** Changes the given settings. An empty description clears the present one. */
export function decidePatchEnvironment(
  state: Environment,
  { description, includeScaling, includedEnvironments, reportEvery }: PatchEnvironment,
): Decision<EnvironmentUpdated, never> {
  const changes = changedOf<EnvironmentSettings>(state, {
    description,
    includeScaling,
    includedEnvironments: state.type === 'logical' ? (includedEnvironments ?? undefined) : undefined,
    reportEvery: changedEvery(state, reportEvery),
  });
  return changes === null ? nothing : accepted({ type: 'EnvironmentUpdated', version: 1, data: changes });
}
