import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type {
  ChannelTarget,
  TargetConfigCreated,
  TargetConfigDeleted,
  TargetConfigUpdated,
} from '@assurance/contracts/notifications/events';
import { accepted, changedOf, type Decision, noChange, refused } from '@assurance/kernel';
import type { TargetConfig } from './target-config';

export type UnknownTargetConfig = FeatureRefusal<'target-config-unknown'>;
export type TargetConfigUsed = FeatureRefusal<'target-config-used'>;

/** Creates a target configuration, or replaces its targets. */
export function decidePutTargetConfig(
  state: TargetConfig | null,
  { name, targets }: { readonly name: string; readonly targets: readonly ChannelTarget[] },
  { id }: { readonly id: string },
): Decision<TargetConfigCreated | TargetConfigUpdated, never> {
  if (state === null) return accepted({ type: 'TargetConfigCreated', version: 1, data: { id, name, targets } });
  const changedFields = changedOf<Pick<TargetConfig, 'targets'>>(state, { targets });
  return changedFields === null ? noChange : accepted({ type: 'TargetConfigUpdated', version: 1, data: { targets } });
}

/**
 * Deletes a target configuration that no notification refers to.
 *
 * @param facts.usedBy the name of a notification that refers to it; null if there is none
 */
export function decideDeleteTargetConfig(
  state: TargetConfig | null,
  { name, org }: { readonly name: string; /** Name of the organization. */ readonly org: string },
  { usedBy }: { readonly usedBy: string | null },
): Decision<TargetConfigDeleted, UnknownTargetConfig | TargetConfigUsed> {
  if (state === null || state.deleted) return refused({ kind: 'target-config-unknown', name, org });
  if (usedBy !== null) return refused({ kind: 'target-config-used', name, by: usedBy });
  return accepted({ type: 'TargetConfigDeleted', version: 1, data: {} });
}
