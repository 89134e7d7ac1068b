import type { Environment } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, RunningArtifact, SnapshotChange } from '@assurance/contracts/environments/events';
import { accepted, type Decision, noChange, refused } from '@assurance/kernel';
import { differenceOf } from './difference';
import { stateOf } from './environment';
import type { JudgeAgainRefusal } from './judge-again';
import { combinedCompliance, unionChanges } from './judged';
import { decideRefresh } from './refresh';
import { byKey, keyText, runningOf } from './runs';
import { eventsOf, type SnapshotEvent } from './snapshot-of';

/** Updates a logical environment to what its members run. */
export interface Unite {
  readonly members: readonly Member[];
}

/** A member with its newest recorded snapshot. A member that never reported has snapshot 0, no artifacts and no compliance. */
export interface Member {
  readonly id: string;
  readonly snapshot: number;
  readonly compliant: boolean | null;
  readonly artifacts: readonly RunningArtifact[];
  /** When its newest snapshot was observed, integer milliseconds; null while it has none. */
  readonly observedAt: number | null;
  /** Whether its newest report is about the past. */
  readonly tellsHistory: boolean;
}

export interface UniteFacts {
  /** Time of the decision, integer milliseconds. */
  readonly at: number;
  /** The artifacts of the newest snapshot of the logical environment, as recorded; empty if there is none. */
  readonly recordedArtifacts: readonly RunningArtifact[];
}

/**
 * Decides whether the members of a logical environment cause a new snapshot of it. They do if an artifact started or stopped, has more
 * provenance or another verdict, or if the compliance of all members together changed. Changed instance counts alone cause one only if the
 * environment includes scaling. There is no snapshot before the first artifact. The result depends on what the members run, and not on the
 * order of their reports.
 *
 * @param union of the artifacts of all members, if the caller has computed it
 */
export function decideUnite(
  environment: Environment,
  { members }: Unite,
  { at, recordedArtifacts }: UniteFacts,
  union: readonly RunningArtifact[] = new Union().add(members.flatMap(({ artifacts }) => artifacts)).artifacts,
): Decision<SnapshotEvent, JudgeAgainRefusal> {
  if (environment.archived) return refused({ kind: 'environment-archived', name: environment.name });
  const observedAt = observedAtOfMembers(environment, members, at);
  const compliant = combinedCompliance(members.map((member) => member.compliant));
  // After a change of its type, it starts without artifacts.
  const isAfresh = environment.reportedAs !== undefined;
  const recordedBy = new Map(recordedArtifacts.map((artifact) => [keyText(artifact), artifact]));
  const { includeScaling } = environment;
  const difference = isAfresh
    ? { started: union, exited: recordedArtifacts.map(runningOf), scaled: [], continued: [], renamed: [] }
    : differenceOf(recordedArtifacts.map(runningOf), union, includeScaling);
  const refreshed = decideRefresh(difference);
  const froms = new Map(refreshed?.artifacts.map((artifact) => [keyText(artifact), artifact.from ?? artifact.name]));
  const startedKeys = new Set(difference.started.map(keyText));

  const changes: SnapshotChange[] = [];
  const exit = (key: ArtifactKey) => {
    const artifact = recordedBy.get(keyText(key));
    if (artifact === undefined) return;
    // The details of instances stay with their instances.
    const { contexts: _, ...rest } = artifact;
    const news = { was: rest.instances.length, now: 0, replacedBy: null };
    changes.push({ ...rest, change: 'exited', ...news, wholly: rest.fingerprint !== '' });
  };
  if (isAfresh) recordedArtifacts.forEach(exit);
  for (const artifact of union) {
    const now = artifact.instances.length;
    if (startedKeys.has(keyText(artifact))) {
      const deployedAt = Math.min(artifact.since.deployedAt, observedAt / 1000);
      const since = { snapshot: environment.snapshot + 1, at: observedAt, deployedAt };
      const news = { was: 0, now, wholly: artifact.fingerprint !== '', replacedBy: null };
      changes.push({ ...artifact, since, change: 'started', ...news });
      continue;
    }
    const { fingerprint, name } = artifact;
    const recordedArtifact = recordedBy.get(keyText({ fingerprint, name: froms.get(keyText(artifact)) ?? name }));
    const change = recordedArtifact === undefined ? null : changeOf(recordedArtifact, artifact, includeScaling);
    if (recordedArtifact === undefined || change === null) continue;
    const news = { was: recordedArtifact.instances.length, now, wholly: false, replacedBy: null };
    changes.push({ ...artifact, since: recordedArtifact.since, change, ...news });
  }
  if (!isAfresh) difference.exited.forEach(exit);
  const isOther = environment.snapshot > 0 && compliant !== stateOf(environment);
  if (changes.length === 0 && !isOther) return noChange;
  const snapshotsOfMembers = members.filter(({ snapshot }) => snapshot > 0).map(({ id, snapshot }) => [id, snapshot]);
  const observation = { observedAt, refreshed, members: Object.fromEntries(snapshotsOfMembers) };
  return accepted(...eventsOf(environment, unionChanges(changes, compliant), { recordedArtifacts }, observation));
}

/**
 * When a snapshot of a logical environment was observed, in integer milliseconds: with its newest member, or now if no member is newer, as
 * after a change of members. Reports about the past of a member do not change the time.
 */
function observedAtOfMembers({ lastChangedAt }: Environment, members: readonly Member[], at: number): number {
  const newest = Math.max(lastChangedAt ?? 0, ...members.map(({ observedAt }) => observedAt ?? 0));
  const isOfMember = newest > (lastChangedAt ?? 0) || members.some(({ tellsHistory }) => tellsHistory);
  return isOfMember ? newest : Math.max(at, newest);
}

/** The change of an artifact that keeps running; null if nothing changed. */
function changeOf(
  was: RunningArtifact,
  now: RunningArtifact,
  includeScaling: boolean,
): SnapshotChange['change'] | null {
  if (includeScaling && was.instances.length !== now.instances.length) return 'scaled';
  return now.flows.length > was.flows.length || now.compliant !== was.compliant ? 'updated-provenance' : null;
}

/** Combines the artifacts of all members: all instances, and the most complete provenance of any member. */
export class Union {
  private readonly union = new Map<string, RunningArtifact>();

  add(artifacts: readonly RunningArtifact[]): this {
    for (const artifact of artifacts) {
      const key = keyText(artifact);
      const previous = this.union.get(key);
      this.union.set(key, previous === undefined ? artifact : uniteArtifacts(previous, artifact));
    }
    return this;
  }

  /** In the order of `byKey`. */
  get artifacts(): readonly RunningArtifact[] {
    return [...this.union.values()].sort(byKey);
  }
}

function uniteArtifacts(a: RunningArtifact, b: RunningArtifact): RunningArtifact {
  // Of two verdicts, the non-compliant one is shown.
  const { failing, verdict } = b.compliant === false ? b : a;
  const { contexts: contextsOfA, failing: _, verdict: __, ...rest } = a;
  return {
    ...rest,
    since: b.since.deployedAt < a.since.deployedAt ? b.since : a.since,
    ...(failing === undefined ? {} : { failing }),
    ...(verdict === undefined ? {} : { verdict }),
    instances: [...a.instances, ...b.instances],
    // If only one of them has details, nobody could tell which instances the details describe.
    ...(contextsOfA === undefined || b.contexts === undefined ? {} : { contexts: [...contextsOfA, ...b.contexts] }),
    flows: b.flows.length > a.flows.length ? b.flows : a.flows,
    compliant: combinedCompliance([a.compliant, b.compliant]),
  };
}
