import { type AggregateState, type CollectionShape, index } from '../events/aggregate';
import type {
  ArtifactKey,
  EnvironmentSettings,
  EnvironmentType,
  SnapshotJudgement,
  ReportMissed,
  StartingSnapshot,
  NamedStart,
} from './events';

/** An artifact that runs, with what deciding needs of it. */
export interface Running extends ArtifactKey {
  /** Creation time of each instance in epoch seconds; 0 where `plausibleTime` gives null. */
  readonly instances: readonly number[];
  readonly since: StartingSnapshot;
  /** In how many flows and trails it was known when a snapshot last recorded it: provenance is only ever added. */
  readonly known: number;
  /** Left out where nothing judged it. */
  readonly judged?: Outcome;
  /** The names under which it started, where these are not its present one. */
  readonly startedAs?: readonly NamedStart[];
  /** `contextsKey` of what its last change said of its instances; left out where it said nothing. */
  readonly contextsKey?: string;
}

/** The result of the verdict on an artifact. A different result makes a new snapshot. */
export interface Outcome {
  readonly compliant: boolean;
  /** Ids of the policies that it does not meet, in the order in which they apply. */
  readonly failing: readonly string[];
}

/** When a report was observed and received. */
export interface ReportTimes {
  /** Integer milliseconds: the time that the report names, else the service's. */
  readonly observedAt: number;
  /** Integer milliseconds, by the clock of the service. */
  readonly receivedAt: number;
  /** How often its environment had been revived. */
  readonly revivals: number;
}

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
  readonly judged: Omit<SnapshotJudgement, 'heads'> | null;
  /** Of which type it was when its newest snapshot was made, where that is another one: the next snapshot starts from nothing. Else left out. */
  readonly reportedAs?: EnvironmentType;
  /** The newest report that made a snapshot; left out while none did. */
  readonly reported?: ReportTimes;
  /** How often it was revived; left out while it never was. */
  readonly revivals?: number;
  /** The report that none followed in time; left out where none did, or one came since that made a snapshot. */
  readonly missed?: ReportMissed['data'];
  /** When the newest report was received of which was told that none followed: integer milliseconds; left out while none was. */
  readonly toldOf?: number;
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
  /** From this moment on it is void (integer milliseconds); left out where it has no end. */
  readonly expiresAt?: number;
  /** The commit that recorded it as it is, in the stream of the environment. Absent in documents of earlier versions. */
  readonly seq?: number;
  /** When the service has to act on its end: to warn, or to record it (integer milliseconds). Left out where it has no end. */
  readonly due?: number;
}

export const allowed: CollectionShape<AllowedDocument> = {
  name: 'allowed',
  deferred: 'first',
  indexes: [index('by_environment', 'environment', '-at', 'fingerprint'), index('by_due', 'due', 'environment')],
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
export interface StartDocument {
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

export const startDocuments: CollectionShape<StartDocument> = {
  name: 'ran',
  deferred: 'first',
  indexes: [
    index('by_template', 'environment', 'flow', 'template', '-since', 'fingerprint'),
    index('by_artifact', 'flow', 'fingerprint', '-since'),
    index('by_flow', 'flow', 'until', 'environment', 'fingerprint'),
    index('by_start', 'environment', 'fingerprint', 'since'),
  ],
};

/** The states of these aggregates. */
export const environmentStates: CollectionShape<AggregateState<Environment>> = {
  name: 'environments',
  deferred: 'last',
  indexes: [
    index('by_name', 'org', 'archived', 'name'),
    index('by_modification', 'org', 'archived', 'lastModifiedAt', 'name'),
    index('by_fold', 'org', 'type', 'fold', 'id'),
    index('by_change', 'org', 'archived', 'lastChangedAt', 'name'),
  ],
};
