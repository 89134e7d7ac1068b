import type { EnvironmentSettings, EnvironmentUpdated } from '@assurance/contracts-events';
import { accepted, type Decision, nothing } from '@assurance/kernel';
import type { Environment } from '@assurance/model';
import { changedOf } from '../changed';

export type PatchEnvironment = Partial<
  Pick<EnvironmentSettings, 'description' | 'includeScaling' | 'includedEnvironments'>
>;

/** Changes the given settings. An empty description clears the present one. */
export function decidePatchEnvironment(
  state: Environment,
  { description, includeScaling, includedEnvironments }: PatchEnvironment,
): Decision<EnvironmentUpdated, never> {
  const changes = changedOf<EnvironmentSettings>(state, {
    description,
    includeScaling,
    includedEnvironments: state.type === 'logical' ? (includedEnvironments ?? undefined) : undefined,
  });
  return changes === null ? nothing : accepted({ type: 'EnvironmentUpdated', version: 1, data: changes });
}
