import {
  running,
  type Running,
  type RunningDocument,
  type StartDocument,
  startDocuments,
} from '@assurance/contracts/environments/documents';
import type {
  ChangeKind,
  EnvironmentCreated,
  EnvironmentEvent,
  RunningArtifact,
  SnapshotChange,
  SnapshotRecorded,
  StartingSnapshot,
} from '@assurance/contracts/environments/events';
import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import type { CommitInfo, RepoRef } from '@assurance/contracts/events/commit';
import type { Provenance } from '@assurance/contracts/flows/events';
import { environment } from '@assurance/environments/domain/environment';
import { SnapshotReplay } from '@assurance/environments/domain/snapshot';
import { startOf } from '@assurance/environments/domain/start';
import { sha256 } from '@assurance/kernel';
import { FIRST_AT, metaAt, replayOf, STEP_MS } from './replay';

/** The environment that sample events are about. */
export const PROD = { key: 'prod' };

/** When the commit after `events` other commits is made, in milliseconds. */
export function timeAfter(events: number): number {
  return FIRST_AT + events * STEP_MS;
}

/** A fingerprint that is the same for the same word. */
export function fingerprintOf(word: string): string {
  return sha256(word);
}

export function environmentCreated(settings: Partial<EnvironmentCreated['data']> = {}): EnvironmentCreated {
  const data = {
    id: 'prod',
    name: 'production',
    type: 'docker',
    description: '',
    includeScaling: false,
    requireProvenance: false,
    includedEnvironments: null,
    ...settings,
  } as const;
  return { type: 'EnvironmentCreated', version: 1, data };
}

/** A repository on GitHub. */
export function repoNamed(name: string): RepoRef {
  return { id: `repo-${name}`, name: `acme/${name}`, url: `https://github.com/acme/${name}`, provider: 'github' };
}

export function commitAt(timestamp: number | null): CommitInfo {
  return { sha1: 'c'.repeat(40), message: 'Pay in euros', author: 'Ada', branch: 'main', timestamp, url: null };
}

/** Provenance of an artifact: by default template `web` of flow `shop`, without commit time and repository. */
export function provenance(artifact: string, overrides: Partial<Provenance> = {}): Provenance {
  return {
    artifactId: `artifact-${artifact}`,
    flow: { id: 'flow-shop', name: 'shop' },
    trail: `build-${artifact}`,
    template: 'web',
    filename: artifact,
    gitCommit: sha256(`commit of ${artifact}`).slice(0, 40),
    commitUrl: null,
    buildUrl: null,
    commit: null,
    repo: null,
    reportedAt: FIRST_AT - STEP_MS,
    ...overrides,
  };
}

/** An artifact that a snapshot shows otherwise than the one before: one instance of unknown age and no provenance, unless said otherwise. */
export function change(
  kind: ChangeKind,
  artifact: Pick<RunningArtifact, 'fingerprint' | 'name'> &
    Partial<Omit<SnapshotChange, 'since'>> & {
      readonly since: Omit<StartingSnapshot, 'deployedAt'> & Partial<StartingSnapshot>;
    },
): SnapshotChange {
  const instances = artifact.instances ?? [0];
  const [was, now] =
    kind === 'started' ? [0, instances.length] : kind === 'exited' ? [instances.length, 0] : [1, instances.length];
  const wholly = artifact.fingerprint !== '' && kind !== 'scaled' && kind !== 'updated-provenance';
  const seen = { previous: null, observed: artifact.since.at / 1000 };
  const since = { deployedAt: startOf(instances, seen, null), ...artifact.since };
  return {
    flows: [],
    compliant: null,
    was,
    now,
    wholly,
    replacedBy: null,
    change: kind,
    ...artifact,
    instances,
    since,
  };
}

/**
 * A snapshot of the sample environment that is as many commits from its creation, by a report that follows the one of the snapshot before. No report
 * made one whose artifacts only have other provenance.
 */
export function snapshotRecorded(snapshot: number, ...changes: readonly SnapshotChange[]): SnapshotRecorded {
  const isOfReport = changes.some(({ change }) => change !== 'updated-provenance');
  const previous = snapshot === 1 ? null : timeAfter(snapshot - 1);
  const times = { observedAt: timeAfter(snapshot), ...(isOfReport ? { previousReportAt: previous } : {}) };
  const isBaseline = isOfReport && previous === null;
  const listed = changes.map((candidate) =>
    isBaseline && candidate.wholly && candidate.now > 0 ? { ...candidate, kind: 'baseline' as const } : candidate,
  );
  const data = { snapshot, environment: 'production', type: 'docker', changes: listed, ...times } as const;
  return { type: 'SnapshotRecorded', version: 1, data };
}

/** The sample environment and its running artifacts. */
export function environmentAfter(events: readonly EnvironmentEvent[]) {
  const state = replayOf(environment, PROD)(events);
  if (state === null) throw new Error('an environment begins with EnvironmentCreated');
  const documents = documentsAfter<RunningDocument>(running, events);
  return { environment: state, running: documents.map(({ org: _, environment: __, ...runs }): Running => runs) };
}

function runningIn(events: readonly EnvironmentEvent[]): readonly RunningArtifact[] {
  const snapshots = new SnapshotReplay();
  for (const event of events) snapshots.apply(event);
  return snapshots.result().artifacts;
}

/** The provenance of artifacts by fingerprint, first report first. */
export type ProvenanceByFingerprint = Readonly<Record<string, readonly Provenance[]>>;

/** The facts that the sample environment's next report is decided on, looked up in what its events left: without first starts. */
export function factsAfter(events: readonly EnvironmentEvent[], existing: ProvenanceByFingerprint = {}) {
  const ran = ranAfter(events);
  const { reported, revivals = 0 } = environmentAfter(events).environment;
  return {
    observedAt: timeAfter(events.length),
    previousReportAt: reported?.revivals === revivals ? reported.observedAt : null,
    provenanceOf: (fingerprint: string) => existing[fingerprint] ?? [],
    ranBefore: (flow: string, template: string, snapshot: number) =>
      ran.filter((doc) => doc.flow === flow && doc.template === template && doc.since < snapshot),
    firstStart: () => undefined,
    stateOf: () => null,
    recordedArtifacts: runningIn(events),
    environmentStandards: null,
  };
}

/** Newest first. */
function ranAfter(events: readonly EnvironmentEvent[]): StartDocument[] {
  const documents = documentsAfter<StartDocument>(startDocuments, events);
  return documents.sort((a, b) => b.since - a.since || (a.fingerprint < b.fingerprint ? -1 : 1));
}

function documentsAfter<T extends object>(collection: CollectionShape<T>, events: readonly EnvironmentEvent[]): T[] {
  const documents = new Map<string, T>();
  let state = null;
  for (const [index, event] of events.entries()) {
    const meta = metaAt(environment.kind, index + 1, PROD);
    state = environment.evolve(state, event, meta);
    for (const { collection: of, id, doc } of environment.inlineProjections?.(state, event, meta, null) ?? []) {
      if (of.name !== collection.name) continue;
      if (doc === null) documents.delete(id);
      else documents.set(id, doc as T);
    }
  }
  return [...documents.values()];
}
