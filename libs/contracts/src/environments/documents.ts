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

/** A running artifact, with the data that decisions need. */
export interface Running extends ArtifactKey {
  /** Creation time of each instance in epoch seconds; 0 where `plausibleTime` gives null. */
  readonly instances: readonly number[];
  readonly since: StartingSnapshot;
  /** In how many flows and trails it was known when a snapshot last recorded it. The number never decreases, because provenance is only added. */
  readonly known: number;
  /** Left out if nothing judged it. */
  readonly judged?: Outcome;
  /** The names under which it started, if they differ from its current name. */
  readonly startedAs?: readonly NamedStart[];
  /** `contextsKey` of the instance details in its last change; left out if that change had no details. */
  readonly contextsKey?: string;
}

/** The result of the verdict on an artifact. If the result changes, a new snapshot is made. */
export interface Outcome {
  readonly compliant: boolean;
  /** Ids of the policies that it does not meet, in the order in which the policies apply. */
  readonly failing: readonly string[];
}

/** When a report was observed and received. */
export interface ReportTimes {
  /** Integer milliseconds: the time that the report states; otherwise the time at which the service received it. */
  readonly observedAt: number;
  /** Integer milliseconds, by the clock of the service. */
  readonly receivedAt: number;
  /** How often its environment had been revived before. */
  readonly revivals: number;
}

export interface Environment extends EnvironmentSettings {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly type: EnvironmentType;
  readonly tags: Readonly<Record<string, string>>;
  /** Id of its space. Left out if it was never moved; then it is in the root. */
  readonly space?: string;
  readonly archived: boolean;
  /** Integer milliseconds. */
  readonly createdAt: number;
  readonly lastModifiedAt: number;
  /** When the content of the newest snapshot was observed; null before the first snapshot. */
  readonly lastChangedAt: number | null;
  /** The index of the newest snapshot; 0 before the first snapshot. */
  readonly snapshot: number;
  /** The newest snapshot with a stored full state; 0 if there is none. */
  readonly full: number;
  /** Changes recorded since that snapshot. */
  readonly changesSinceFull: number;
  /** How many artifacts run. */
  readonly artifacts: number;
  /** Ids of the attached policies, in the order in which they were attached. */
  readonly policies: readonly string[];
  /** The standards by which the newest snapshot was judged, and the result; null if nothing judged it. */
  readonly judged: Omit<SnapshotJudgement, 'heads'> | null;
  /**
   * The environment's type at the time of its newest snapshot, if the type has changed since. The next snapshot then starts empty. Otherwise left
   * out.
   */
  readonly reportedAs?: EnvironmentType;
  /** The newest report that made a snapshot; left out if there is none. */
  readonly reported?: ReportTimes;
  /** How often it was revived; left out if never. */
  readonly revivals?: number;
  /** The report after which the next report was late. Left out if no report was late, or if a later report made a snapshot. */
  readonly missed?: ReportMissed['data'];
  /**
   * When the newest report was received for which a message said that the next one is late: integer milliseconds. Left out if there was no such
   * message.
   */
  readonly toldOf?: number;
}

/** A fingerprint that is accepted in an environment. Each pair has one document, with the id `allowedId`. */
export interface AllowedDocument {
  readonly environment: string;
  readonly fingerprint: string;
  readonly name: string;
  readonly description: string;
  /** Integer milliseconds. */
  readonly at: number;
  /** Id of the user or service account. */
  readonly by: string;
  /** The end of the acceptance (integer milliseconds); left out if it has no end. */
  readonly expiresAt?: number;
  /** The commit in the stream of the environment that recorded the current entry. Absent in documents of earlier versions. */
  readonly seq?: number;
  /** When the service must warn of the end or record it (integer milliseconds). Left out if the entry has no end. */
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

/** The running artifacts of an environment, as one small document each. */
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
  /** `''` for the legacy form, which has no template. */
  readonly template: string;
  readonly fingerprint: string;
  readonly name: string;
  readonly gitCommit: string;
  readonly commitUrl: string | null;
  readonly trail: string | null;
  readonly repo: string | null;
  /** The snapshot in which it started. */
  readonly since: number;
  /** The first snapshot without it; null while it runs. */
  readonly until: number | null;
  /** How many instances ran, as last recorded. */
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
