import { accepted, type Decision, nothing, refused } from '@assurance/kernel';
import { byKey } from '@assurance/model-environment';
import type { ReportFacts } from './facts';
import { flowsReader } from './flows-of';
import { type EnvironmentState, entry, snapshotOf, type SnapshotEvent } from './snapshot-of';

/** Asks whether more is known of some fingerprints than the environment's snapshots say. */
export interface UpdateProvenance {
  readonly fingerprints: readonly string[];
}

export type UpdateRefusal = { readonly kind: 'environment-archived'; readonly name: string };

/**
 * Decides whether provenance that arrived after its artifact had started makes a new snapshot (DECISIONS, "New snapshots without a report").
 * What moved is recorded as it is now, the rest stays as recorded. Nothing moved, or nothing of it runs: nothing. An archived environment
 * takes no snapshot; it is asked again once it is revived.
 */
export function decideUpdateProvenance(
  { environment, running }: EnvironmentState,
  { fingerprints }: UpdateProvenance,
  facts: Omit<ReportFacts, 'at'>,
): Decision<SnapshotEvent, UpdateRefusal> {
  if (environment.archived) return refused({ kind: 'environment-archived', name: environment.name });
  const asked = new Set(fingerprints);
  const moved = running.filter(
    ({ fingerprint, known }) => asked.has(fingerprint) && facts.provenanceOf(fingerprint).length > known,
  );
  if (moved.length === 0) return nothing;
  const flowsOf = flowsReader(facts, []);
  const changes = [...moved].sort(byKey).map((artifact) => ({
    ...entry(artifact, flowsOf),
    change: 'updated-provenance' as const,
    was: artifact.instances.length,
    now: artifact.instances.length,
    wholly: false,
    replacedBy: null,
  }));
  return accepted(...snapshotOf(environment, changes, facts));
}
