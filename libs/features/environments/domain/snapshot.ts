import type {
  EnvironmentEvent,
  EnvironmentType,
  SnapshotJudgement,
  RunningArtifact,
  SnapshotChange,
} from '@assurance/contracts/environments/events';
import type { Verdict } from '@assurance/contracts/policies/events';
import { decodeVerdict } from './verdict-encoding';
import { applyRefreshed } from './refreshed';
import { keyText } from './runs';

/** A recorded snapshot: its running artifacts, and the difference from the snapshot before. */
export interface Snapshot {
  /** All running artifacts, unchanged or not. */
  readonly artifacts: readonly RunningArtifact[];
  /** The changes of this snapshot. */
  readonly changes: readonly SnapshotChange[];
  /** The environment's name at that time. */
  readonly environment: string;
  /** Its type at that time; null before the first snapshot. */
  readonly type: EnvironmentType | null;
  /** Set if the environment had another type before. Then the snapshot is not compared with the one before. */
  readonly afresh: boolean;
  /** Null if nothing judged it. */
  readonly judged: SnapshotJudgement | null;
  /** The snapshots that a logical environment unites, by the member's id; null for other environments, and if that was not recorded. */
  readonly members: Readonly<Record<string, number>> | null;
}

/** Builds a snapshot from the environment's events in order: a full state, if there is one, then every change up to it. */
export class SnapshotReplay {
  private readonly artifacts = new Map<string, RunningArtifact>();
  private changes: readonly SnapshotChange[] = [];
  private environment = '';
  private type: EnvironmentType | null = null;
  private afresh = false;
  private judgement: SnapshotJudgement | null = null;
  private members: Snapshot['members'] = null;
  /** Whether the data of a full state was dropped. Then the result is complete only if the replay began with the stream. */
  dropped = false;

  /** Applies one event. Ignores events that do not change what runs. */
  apply(event: EnvironmentEvent): void {
    switch (event.type) {
      case 'SnapshotStateKept':
        if (event.data.dropped === true) {
          this.dropped = true;
          return;
        }
        this.artifacts.clear();
        for (const { verdict, ...artifact } of event.data.artifacts) {
          const whole = verdict === undefined ? artifact : { ...artifact, verdict: decodeVerdict(event.data, verdict) };
          this.artifacts.set(keyText(artifact), whole);
        }
        return;
      case 'SnapshotRecorded':
        this.environment = event.data.environment;
        this.type = event.data.type;
        this.afresh = event.data.afresh !== undefined;
        this.judgement = event.data.judged ?? null;
        this.members = event.data.members ?? null;
        if (event.data.refreshed !== undefined) applyRefreshed(this.artifacts, event.data.refreshed, refreshedArtifact);
        this.changes = event.data.changes.map((change) => this.change(change));
        return;
      case 'VerdictsKept':
        for (const { verdict, ...key } of event.data.artifacts)
          this.judge(keyText(key), decodeVerdict(event.data, verdict));
        return;
      case 'EnvironmentCreated':
      case 'EnvironmentUpdated':
      case 'EnvironmentArchived':
      case 'EnvironmentRevived':
      case 'EnvironmentRenamed':
      case 'EnvironmentTagged':
      case 'EnvironmentMoved':
      case 'PolicyAttached':
      case 'PolicyDetached':
      case 'ArtifactAllowed':
      case 'AllowanceRevised':
      case 'AllowanceEnding':
      case 'AllowanceEnded':
      case 'ReportMissed':
        return;
    }
  }

  result(): Snapshot {
    const { changes, environment, type, afresh, judgement, members } = this;
    return { artifacts: [...this.artifacts.values()], changes, environment, type, afresh, judged: judgement, members };
  }

  /** An artifact that stopped keeps its last verdict. */
  private change(change: SnapshotChange): SnapshotChange {
    const key = keyText(change);
    const before = this.artifacts.get(key);
    if (change.now > 0) this.artifacts.set(key, runningArtifact(change, before));
    else this.artifacts.delete(key);
    return change.now > 0 || before?.verdict === undefined ? change : { ...change, verdict: before.verdict };
  }

  private judge(key: string, verdict: Verdict): void {
    const artifact = this.artifacts.get(key);
    if (artifact !== undefined) this.artifacts.set(key, { ...artifact, verdict });
  }
}

/** A recorded artifact with the names and instances of a report. */
export function refreshedArtifact(
  recorded: RunningArtifact,
  { name, instances, contexts }: Pick<RunningArtifact, 'name' | 'instances' | 'contexts'>,
): RunningArtifact {
  return { ...recorded, name, instances, ...(contexts === undefined ? {} : { contexts }) };
}

/**
 * The running artifact after a change, without the fields that describe the change.
 *
 * @param before the same artifact before the change. It keeps its contexts if the change has none
 */
export function runningArtifact(change: SnapshotChange, before?: RunningArtifact): RunningArtifact {
  const { fingerprint, name, instances, since, flows, compliant, failing } = change;
  const contexts = change.contexts ?? before?.contexts;
  const verdict = compliant === null ? undefined : before?.verdict;
  return {
    fingerprint,
    name,
    instances,
    since,
    flows,
    compliant,
    ...(failing === undefined ? {} : { failing }),
    ...(contexts === undefined ? {} : { contexts }),
    ...(verdict === undefined ? {} : { verdict }),
  };
}
