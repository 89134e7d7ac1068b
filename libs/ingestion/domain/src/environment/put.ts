import type {
  EnvironmentCreated,
  EnvironmentRevived,
  EnvironmentSettings,
  EnvironmentType,
  EnvironmentUpdated,
} from '@assurance/contracts-events';
import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import type { Environment } from '@assurance/model-environment';
import { changedOf } from '../changed';

/** What a caller sets; a field left out keeps its value. */
export interface PutEnvironment extends Partial<EnvironmentSettings> {
  readonly name: string;
  readonly type: EnvironmentType;
}

export type PutEnvironmentRefusal = {
  readonly kind: 'environment-type-changed';
  readonly is: EnvironmentType;
  readonly given: EnvironmentType;
};

/**
 * Creates an environment or updates its settings; an archived one is revived. The type is for ever; an empty description does not wipe one that is there.
 *
 * @param facts.id the id that a new environment gets
 */
export function decidePutEnvironment(
  state: Environment | null,
  { name, type, ...given }: PutEnvironment,
  facts: { readonly id: string },
): Decision<EnvironmentCreated | EnvironmentRevived | EnvironmentUpdated, PutEnvironmentRefusal> {
  const included = type === 'logical' ? given.includedEnvironments : null;
  if (state === null) {
    const settings: EnvironmentSettings = {
      description: given.description ?? '',
      includeScaling: given.includeScaling ?? false,
      requireProvenance: given.requireProvenance ?? false,
      includedEnvironments: type === 'logical' ? (included ?? []) : null,
    };
    return accepted({ type: 'EnvironmentCreated', version: 1, data: { id: facts.id, name, type, ...settings } });
  }
  if (state.type !== type) return refused({ kind: 'environment-type-changed', is: state.type, given: type });
  const changes = changedOf<EnvironmentSettings>(state, {
    description: given.description === '' ? undefined : given.description,
    includeScaling: given.includeScaling,
    requireProvenance: given.requireProvenance,
    includedEnvironments: included ?? undefined,
  });
  const update = changes === null ? [] : [{ type: 'EnvironmentUpdated', version: 1, data: changes } as const];
  if (state.archived)
    return accepted<EnvironmentRevived, EnvironmentUpdated>(
      { type: 'EnvironmentRevived', version: 1, data: {} },
      ...update,
    );
  const [only] = update;
  return only === undefined ? nothing : accepted(only);
}
