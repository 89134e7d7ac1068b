import type { EnvironmentEvent, RunningArtifact, SnapshotChange } from '@assurance/contracts-events';
import { keyText } from './runs';

/** A snapshot as it was recorded: what ran, and how that differs from the snapshot before. */
export interface Snapshot {
  /** All that ran, unchanged or not. */
  readonly artifacts: readonly RunningArtifact[];
  /** What changed in this very snapshot. */
  readonly changes: readonly SnapshotChange[];
  /** The environment's name then. */
  readonly environment: string;
}

/**
 * Builds a snapshot from the environment's events: a full state (when there is one), then every change up to it.
 * Feed it events in order; ask for the result once the snapshot's own events are in.
 */
export class SnapshotFold {
  private readonly artifacts = new Map<string, RunningArtifact>();
  private changes: readonly SnapshotChange[] = [];
  private environment = '';

  /** Takes one event; events that change nothing that runs are passed over. */
  take(event: EnvironmentEvent): void {
    switch (event.type) {
      case 'SnapshotStateKept':
        this.artifacts.clear();
        for (const artifact of event.data.artifacts) this.artifacts.set(keyText(artifact), artifact);
        return;
      case 'SnapshotRecorded':
        this.changes = event.data.changes;
        this.environment = event.data.environment;
        for (const change of event.data.changes) this.apply(change);
        return;
      case 'EnvironmentCreated':
      case 'EnvironmentUpdated':
      case 'EnvironmentArchived':
      case 'EnvironmentRevived':
      case 'EnvironmentRenamed':
      case 'EnvironmentTagged':
        return;
    }
  }

  result(): Snapshot {
    return { artifacts: [...this.artifacts.values()], changes: this.changes, environment: this.environment };
  }

  private apply(change: SnapshotChange): void {
    const key = keyText(change);
    if (change.now === 0) this.artifacts.delete(key);
    else this.artifacts.set(key, runningArtifact(change, this.artifacts.get(key)));
  }
}

/**
 * The artifact that a change leaves running, without what is said of the change.
 *
 * @param before the same artifact before the change: its contexts stay where the change says nothing of them
 */
export function runningArtifact(change: SnapshotChange, before?: RunningArtifact): RunningArtifact {
  const { fingerprint, name, instances, since, flows, compliant } = change;
  const contexts = change.contexts ?? before?.contexts;
  const artifact = { fingerprint, name, instances, since, flows, compliant };
  return contexts === undefined ? artifact : { ...artifact, contexts };
}
