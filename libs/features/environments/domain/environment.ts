import {
  allowed,
  AllowedDocument,
  allowedId,
  Environment,
  environmentStates,
  startDocuments,
  StartDocument,
  running,
  RunningDocument,
} from '@assurance/contracts/environments/documents';
import type {
  ArtifactKey,
  EnvironmentEvent,
  EnvironmentType,
  SnapshotJudgement,
  SnapshotChange,
  SnapshotRecorded,
} from '@assurance/contracts/environments/events';
import { type Aggregate, type InlineProjection, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { tagsAfter } from '@assurance/contracts/events/naming';
import { keyOf, NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { sha256 } from '@assurance/kernel';
import { useOf } from '@assurance/policies/domain/policy-uses';
import { firstDue } from './allow-list';
import { memberProjections } from './members';
import { isOfReport, observedAtOf, showsHistory } from './reports';
import { keyText, runningAfterRefresh, runningOf } from './runs';
export const environment: Aggregate<Environment, EnvironmentEvent, 'environment'> = {
  kind: 'environment',
  states: environmentStates,
  schemaVersion: 9,
  evolve(state, event, meta) {
    if (event.type === 'EnvironmentCreated') {
      return {
        ...event.data,
        org: meta.org,
        tags: {},
        archived: false,
        createdAt: meta.at,
        lastModifiedAt: meta.at,
        lastChangedAt: null,
        snapshot: 0,
        full: 0,
        changesSinceFull: 0,
        artifacts: 0,
        policies: [],
        judged: null,
      };
    }
    if (state === null) throw new UnexpectedEvent(event, meta);
    switch (event.type) {
      case 'EnvironmentUpdated': {
        const next = { ...state, ...event.data, lastModifiedAt: meta.at };
        return event.data.reportEvery === undefined ? next : withoutMissedReport(next);
      }
      case 'EnvironmentArchived':
        return { ...state, archived: true, lastModifiedAt: meta.at };
      case 'EnvironmentRevived':
        return {
          ...revivedEnvironment(withoutMissedReport(state), event.data.type ?? state.type),
          archived: false,
          lastModifiedAt: meta.at,
          revivals: (state.revivals ?? 0) + 1,
        };
      case 'EnvironmentRenamed':
        return { ...state, name: event.data.name, lastModifiedAt: meta.at };
      case 'EnvironmentTagged':
        return { ...state, tags: tagsAfter(state.tags, event.data), lastModifiedAt: meta.at };
      case 'EnvironmentMoved':
        return { ...state, space: event.data.space, lastModifiedAt: meta.at };
      case 'SnapshotRecorded': {
        const { snapshot, changes, refreshed, judged } = event.data;
        const renewedCount = refreshed?.artifacts.length ?? 0;
        const addedCount = refreshed?.artifacts.filter(({ from }) => from !== undefined).length ?? 0;
        const { reportedAs: _, ...rest } =
          isOfReport(event.data) && !showsHistory(event, meta) ? withoutMissedReport(state) : state;
        const observedAt = observedAtOf(event, meta);
        const reportTimes = { observedAt, receivedAt: meta.at, revivals: state.revivals ?? 0 };
        return {
          ...rest,
          ...(isOfReport(event.data) ? { reported: reportTimes } : {}),
          snapshot,
          lastChangedAt: observedAt,
          changesSinceFull: state.changesSinceFull + changes.length + renewedCount,
          artifacts: changes.reduce(
            (sum, { change }) => sum + difference(change),
            state.artifacts + addedCount - (refreshed?.dropped.length ?? 0),
          ),
          judged: judged === undefined ? null : withoutStreams(judged),
        };
      }
      case 'SnapshotStateKept':
        return { ...state, full: event.data.snapshot, changesSinceFull: 0 };
      case 'PolicyAttached':
        return { ...state, policies: [...state.policies, event.data.policy.id], lastModifiedAt: meta.at };
      case 'PolicyDetached': {
        const policies = state.policies.filter((id) => id !== event.data.policy.id);
        return { ...state, policies, lastModifiedAt: meta.at };
      }
      case 'ArtifactAllowed':
      case 'AllowanceRevised':
        return { ...state, lastModifiedAt: meta.at };
      case 'ReportMissed':
        return { ...state, missed: event.data, toldOf: event.data.lastReceivedAt };
      case 'AllowanceEnding':
      case 'AllowanceEnded':
      case 'VerdictsKept':
        return state;
    }
  },
  inlineProjections(state, event, meta, before) {
    switch (event.type) {
      case 'SnapshotRecorded': {
        // An iterator makes them one by one, because thousands of artifacts may have changed.
        const all = snapshotProjections(event.data, meta);
        // After a change of type, a snapshot lists an artifact as exited and as started. The last entry counts.
        return event.data.afresh === undefined
          ? all
          : new Map(all.map((inlineProjection) => [inlineProjection.id, inlineProjection])).values();
      }
      case 'PolicyAttached':
        return useOf('attached', event.data, meta);
      case 'PolicyDetached':
        return useOf('detached', event.data, meta);
      case 'ArtifactAllowed':
      case 'AllowanceRevised': {
        const { fingerprint, expiresAt } = event.data;
        const due = expiresAt === undefined ? {} : { due: firstDue(expiresAt, meta.at) };
        return [allowedProjection(meta, fingerprint, { ...event.data, at: meta.at, by: meta.actor, ...due })];
      }
      case 'AllowanceEnding': {
        const { allowedAt: at, allowedBy: by, expiresAt, untold: _, ...entry } = event.data;
        return [allowedProjection(meta, entry.fingerprint, { ...entry, at, by, expiresAt, due: expiresAt })];
      }
      case 'AllowanceEnded':
        return [allowedProjection(meta, event.data.fingerprint, null)];
      default:
        return memberProjections(before, state);
    }
  },
};

/** @param entry null: it is gone */
function allowedProjection(
  { stream, seq }: EventMeta,
  fingerprint: string,
  entry: Omit<AllowedDocument, 'environment' | 'seq'> | null,
): InlineProjection {
  const environment = keyOf(stream);
  const doc: AllowedDocument | null = entry === null ? null : { environment, ...entry, seq };
  return { collection: allowed, id: allowedId(environment, fingerprint), doc };
}

/** The compliance of an environment's newest snapshot; null if nothing judges it. */
export function stateOf({ judged }: Pick<Environment, 'judged'>): boolean | null {
  return judged?.compliant ?? null;
}

function withoutMissedReport({ missed: _, ...state }: Environment): Environment {
  return state;
}

function withoutStreams({ heads: _, ...judged }: SnapshotJudgement): Omit<SnapshotJudgement, 'heads'> {
  return judged;
}

/** How many more artifacts run after a change. */
function difference(change: SnapshotChange['change']): number {
  switch (change) {
    case 'started':
    case 'changed':
      return 1;
    case 'exited':
      return -1;
    case 'scaled':
    case 'updated-provenance':
      return 0;
  }
}

/** In order: if two have the same id, the later one counts. */
function snapshotProjections(data: SnapshotRecorded['data'], meta: EventMeta): IteratorObject<InlineProjection> {
  const { refreshed, changes, type } = data;
  const environment = keyOf(meta.stream);
  const org = type === 'logical' ? NO_ORGANIZATION : meta.org;
  const dropped = (refreshed?.dropped ?? []).values().map((key) => {
    return { collection: running, id: runningId(environment, key), doc: null };
  });
  const renewed = (refreshed?.artifacts ?? []).values().map((artifact) => {
    const doc: RunningDocument = { org, environment, ...runningAfterRefresh(artifact) };
    return { collection: running, id: runningId(environment, artifact), doc };
  });
  const changed = changes.values().flatMap((change) => projectionsOf(change, data, meta));
  return [dropped, renewed, changed].values().flatMap((projections): IteratorObject<InlineProjection> => projections);
}

function runningId(environment: string, key: ArtifactKey): string {
  return `${environment}/${sha256(keyText(key))}`;
}

function projectionsOf(
  change: SnapshotChange,
  { snapshot, type, afresh = type }: SnapshotRecorded['data'],
  { org: owner, stream }: EventMeta,
): InlineProjection[] {
  // Artifacts of a logical environment run in its members. A search by fingerprint finds them there, once.
  const isLogical = (change.now === 0 ? afresh : type) === 'logical';
  const org = isLogical ? NO_ORGANIZATION : owner;
  const environment = keyOf(stream);
  const { fingerprint, name, instances, since, flows, startedAs = [[name, since.snapshot]] } = change;
  const runs: RunningDocument | null = change.now === 0 ? null : { org, environment, ...runningOf(change) };
  return [
    { collection: running, id: runningId(environment, change), doc: runs },
    ...(isLogical ? [] : flows).flatMap(({ flow, template, trail, gitCommit, commitUrl, repo }) =>
      startedAs.map(([started, from]) => {
        const doc: StartDocument = {
          environment,
          flow: flow.id,
          template: template ?? '',
          fingerprint,
          name: started,
          gitCommit,
          commitUrl,
          trail,
          repo: repo?.id ?? null,
          since: from,
          until: change.now === 0 ? snapshot : null,
          instances: instances.length,
        };
        const id = sha256([flow.id, template ?? '', keyText({ fingerprint, name: started }), from].join('\n'));
        return { collection: startDocuments, id: `${environment}/${id}`, doc };
      }),
    ),
  ];
}

/** An environment that is revived with another type starts without running artifacts. Its history stays. */
function revivedEnvironment({ reportedAs, ...state }: Environment, type: EnvironmentType): Environment {
  if (type === state.type) return reportedAs === undefined ? state : { ...state, reportedAs };
  const before = reportedAs ?? state.type;
  const afresh = state.snapshot === 0 || before === type ? {} : { reportedAs: before };
  return { ...state, type, includedEnvironments: type === 'logical' ? [] : null, judged: null, ...afresh };
}
