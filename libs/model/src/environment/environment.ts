import {
  type Aggregate,
  type ArtifactKey,
  type CollectionShape,
  type EnvironmentEvent,
  type EnvironmentSettings,
  type EnvironmentType,
  type EventMeta,
  index,
  type InlineProjection,
  type Judged,
  keyOf,
  NO_ORGANIZATION,
  type SnapshotChange,
  type SnapshotRecorded,
  tagsAfter,
  UnexpectedEvent,
} from '@assurance/contracts-events';
import { sha256 } from '@assurance/kernel';
import { memberProjections } from './members';
import { useOf } from './policy-uses';
import { isOfReport, observedAtOf, type ReportTimes } from './reports';
import { keyText, type Running, runningAs, runningOf } from './runs';

export interface Environment extends EnvironmentSettings {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly type: EnvironmentType;
  readonly tags: Readonly<Record<string, string>>;
  /** Id of the space that it was moved to; left out while it was never moved: then it is in the root. */
  readonly space?: string;
  readonly archived: boolean;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
  /** When what the newest snapshot shows was observed; null before the first. */
  readonly lastChangedAt: number | null;
  /** The index of the newest snapshot; 0 before the first. */
  readonly snapshot: number;
  /** The newest snapshot that keeps a full state, 0 while none does. */
  readonly full: number;
  /** Changes recorded since that one. */
  readonly changesSinceFull: number;
  /** How many artifacts run. */
  readonly artifacts: number;
  /** Ids of the attached policies, in the order in which they were attached. */
  readonly policies: readonly string[];
  /** The standards by which the newest snapshot was judged, and the result; null if nothing judged it. */
  readonly judged: Omit<Judged, 'heads'> | null;
  /** Of which type it was when its newest snapshot was made, where that is another one: the next snapshot starts from nothing. Else left out. */
  readonly reportedAs?: EnvironmentType;
  /** The newest report that made a snapshot; left out while none did. */
  readonly reported?: ReportTimes;
  /** How often it was revived; left out while it never was. */
  readonly revivals?: number;
}

/** A fingerprint that is accepted in an environment: one document for each pair, under `allowedId`. */
export interface AllowedDocument {
  readonly environment: string;
  readonly fingerprint: string;
  readonly name: string;
  readonly description: string;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the user or service account. */
  readonly by: string;
}

export const allowed: CollectionShape<AllowedDocument> = {
  name: 'allowed',
  deferred: 'first',
  indexes: [index('by_environment', 'environment', '-at', 'fingerprint')],
};

/** The id of an entry of an environment's allow-list. */
export function allowedId(environment: string, fingerprint: string): string {
  return `${environment}/${fingerprint}`;
}

/** The running artifacts of an environment, one small document each. */
export interface RunningDocument extends Running {
  readonly org: string;
  readonly environment: string;
}

export const running: CollectionShape<RunningDocument> = {
  name: 'running',
  deferred: 'first',
  indexes: [
    index('by_environment', 'environment', 'fingerprint', 'name'),
    index('by_fingerprint', 'org', 'fingerprint', 'environment'),
  ],
};

/** Records each start of an artifact under a template name, so that the previous artifact of that name can be found. */
export interface RanDocument {
  readonly environment: string;
  readonly flow: string;
  /** `''` for the legacy form, which has none. */
  readonly template: string;
  readonly fingerprint: string;
  readonly name: string;
  readonly gitCommit: string;
  readonly commitUrl: string | null;
  readonly trail: string | null;
  readonly repo: string | null;
  /** The snapshot in which it started. */
  readonly since: number;
  /** The snapshot in which it was gone; null while it runs. */
  readonly until: number | null;
  /** How many instances, as last recorded. */
  readonly instances: number;
}

export const ran: CollectionShape<RanDocument> = {
  name: 'ran',
  deferred: 'first',
  indexes: [
    index('by_template', 'environment', 'flow', 'template', '-since', 'fingerprint'),
    index('by_artifact', 'flow', 'fingerprint', '-since'),
    index('by_flow', 'flow', 'until', 'environment', 'fingerprint'),
    index('by_start', 'environment', 'fingerprint', 'since'),
  ],
};

export const environment: Aggregate<Environment, EnvironmentEvent, 'environment'> = {
  kind: 'environment',
  states: {
    name: 'environments',
    deferred: 'last',
    indexes: [
      index('by_name', 'org', 'archived', 'name'),
      index('by_modification', 'org', 'archived', 'lastModifiedAt', 'name'),
      index('by_fold', 'org', 'type', 'fold', 'id'),
      index('by_change', 'org', 'archived', 'lastChangedAt', 'name'),
    ],
  },
  schemaVersion: 6,
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
      case 'EnvironmentUpdated':
        return { ...state, ...event.data, lastModifiedAt: meta.at };
      case 'EnvironmentArchived':
        return { ...state, archived: true, lastModifiedAt: meta.at };
      case 'EnvironmentRevived':
        return {
          ...revivedAs(state, event.data.type ?? state.type),
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
        const renewed = refreshed?.artifacts.length ?? 0;
        const added = refreshed?.artifacts.filter(({ from }) => from !== undefined).length ?? 0;
        const { reportedAs: _, ...rest } = state;
        const observedAt = observedAtOf(event, meta);
        const reported = { observedAt, receivedAt: meta.at, revivals: state.revivals ?? 0 };
        return {
          ...rest,
          ...(isOfReport(event.data) ? { reported } : {}),
          snapshot,
          lastChangedAt: observedAt,
          changesSinceFull: state.changesSinceFull + changes.length + renewed,
          artifacts: changes.reduce(
            (sum, { change }) => sum + difference(change),
            state.artifacts + added - (refreshed?.dropped.length ?? 0),
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
        return { ...state, lastModifiedAt: meta.at };
      case 'VerdictsKept':
        return state;
    }
  },
  inlineProjections(state, event, meta, before) {
    switch (event.type) {
      case 'SnapshotRecorded': {
        // Made one by one while they are taken: thousands of artifacts may have changed.
        const all = snapshotProjections(event.data, meta);
        // A snapshot that starts from nothing lists an artifact as exited and as started: the last entry counts.
        return event.data.afresh === undefined ? all : new Map(all.map((one) => [one.id, one])).values();
      }
      case 'PolicyAttached':
        return useOf('attached', event.data, meta);
      case 'PolicyDetached':
        return useOf('detached', event.data, meta);
      case 'ArtifactAllowed': {
        const [environment, { fingerprint }] = [keyOf(meta.stream), event.data];
        const doc: AllowedDocument = { environment, ...event.data, at: meta.at, by: meta.actor };
        return [{ collection: allowed, id: allowedId(environment, fingerprint), doc }];
      }
      default:
        return memberProjections(before, state);
    }
  },
};

/** The verdict on an environment's newest snapshot: null where nothing judges. */
export function stateOf({ judged }: Pick<Environment, 'judged'>): boolean | null {
  return judged?.compliant ?? null;
}

function withoutStreams({ heads: _, ...judged }: Judged): Omit<Judged, 'heads'> {
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

/** In order: of two with one id, the later counts. */
function* snapshotProjections(data: SnapshotRecorded['data'], meta: EventMeta): Generator<InlineProjection> {
  const { refreshed, changes, type } = data;
  const environment = keyOf(meta.stream);
  const org = type === 'logical' ? NO_ORGANIZATION : meta.org;
  for (const key of refreshed?.dropped ?? []) yield { collection: running, id: runningId(environment, key), doc: null };
  for (const one of refreshed?.artifacts ?? []) {
    const doc: RunningDocument = { org, environment, ...runningAs(one) };
    yield { collection: running, id: runningId(environment, one), doc };
  }
  for (const change of changes) yield* projectionsOf(change, data, meta);
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
        const doc: RanDocument = {
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
        return { collection: ran, id: `${environment}/${id}`, doc };
      }),
    ),
  ];
}

/** An environment that is revived with another type starts without running artifacts. Its history stays. */
function revivedAs({ reportedAs, ...state }: Environment, type: EnvironmentType): Environment {
  if (type === state.type) return reportedAs === undefined ? state : { ...state, reportedAs };
  const before = reportedAs ?? state.type;
  const afresh = state.snapshot === 0 || before === type ? {} : { reportedAs: before };
  return { ...state, type, includedEnvironments: type === 'logical' ? [] : null, judged: null, ...afresh };
}
