import type {
  EnvironmentCreated,
  EnvironmentRenamed,
  ReportMissed,
  SnapshotChange,
  SnapshotRecorded,
} from '@assurance/contracts/environments/events';
import type { DomainEvent, EventMeta } from '@assurance/contracts/events/event';
import type { Trigger } from '@assurance/contracts/notifications/events';
import type { AllowanceEnding, ArtifactAllowed } from '@assurance/contracts/policies/events';
import type { FoundVulnerability, VulnerabilitiesFound } from '@assurance/contracts/vulnerabilities/events';
import { describeCount } from '@assurance/environments/domain/describe';
import { showsHistory } from '@assurance/environments/domain/reports';
import type { EventType, MessageItem } from './message';
import type { Notification } from './notification-state';

/** The stored state of an environment between two events. */
export interface WatchedEnvironment {
  readonly name: string;
  /** Index of the newest snapshot, 0 before the first. */
  readonly snapshot: number;
  /** The verdict on this snapshot; null if nothing judges it. */
  readonly compliant: boolean | null;
}

/** Something that a trigger listens for. */
export interface Occurrence extends MessageItem {
  readonly trigger: Trigger;
}

export const UNWATCHED: WatchedEnvironment = { name: '', snapshot: 0, compliant: null };

/** The types of watched events. The data of other events is not read. */
export const WATCHED_TYPES: ReadonlySet<string> = new Set([
  'EnvironmentCreated',
  'EnvironmentRenamed',
  'SnapshotRecorded',
  'ArtifactAllowed',
  'AllowanceEnding',
  'ReportMissed',
  'VulnerabilitiesFound',
]);

/** The stored state after an event. */
export function watchedAfter(before: WatchedEnvironment, event: DomainEvent): WatchedEnvironment {
  switch (event.type) {
    case 'EnvironmentCreated':
    case 'EnvironmentRenamed':
      return { ...before, name: (event as EnvironmentCreated | EnvironmentRenamed).data.name };
    case 'SnapshotRecorded': {
      const { snapshot, judged } = (event as SnapshotRecorded).data;
      return { ...before, snapshot, compliant: judged?.compliant ?? null };
    }
    case 'VulnerabilitiesFound': {
      const { environment: name, snapshot, compliant } = (event as VulnerabilitiesFound).data;
      return { name, snapshot, compliant };
    }
    default:
      return before;
  }
}

/**
 * The occurrences that an event of an environment causes. A snapshot that shows history causes none.
 *
 * @param meta of the commit: its time in integer milliseconds
 */
export function occurrencesOf(
  before: WatchedEnvironment,
  event: DomainEvent,
  meta: Pick<EventMeta, 'at'>,
): Occurrence[] {
  switch (event.type) {
    case 'SnapshotRecorded': {
      if (showsHistory(event as SnapshotRecorded, meta)) return [];
      const { changes } = (event as SnapshotRecorded).data;
      return [
        ...changes.flatMap(occurrencesOfChange),
        ...verdict(before.compliant, watchedAfter(before, event).compliant),
      ];
    }
    case 'ArtifactAllowed': {
      const { fingerprint, name } = (event as ArtifactAllowed).data;
      const artifact = { fingerprint, name, compliant: true, provenance: null };
      return [
        occurrenceOf('ON_ALLOWED_ARTIFACT', 'ARTIFACT_ALLOWED', 'The artifact was put on the allow-list', artifact),
      ];
    }
    case 'AllowanceEnding': {
      const { fingerprint, name, expiresAt, untold } = (event as AllowanceEnding).data;
      if (untold) return [];
      const artifact = { fingerprint, name, compliant: true, provenance: null };
      const description = `The artifact is on the allow-list until ${momentText(expiresAt)}, and is judged by policies then`;
      return [occurrenceOf('ON_NON_COMPLIANT_ENV', 'ALLOWANCE_ENDING', description, artifact)];
    }
    case 'ReportMissed': {
      const { lastReceivedAt, untold } = (event as ReportMissed).data;
      if (untold) return [];
      const minutes = Math.floor((meta.at - lastReceivedAt) / 60_000);
      const what = lastReceivedAt === 0 ? 'No report came yet' : `No report for ${minutes} minutes`;
      const description = `${what}: nobody knows what runs now`;
      return [occurrenceOf('ON_STALE_ENV', 'STALE_ENV', description, null)];
    }
    case 'VulnerabilitiesFound':
      return (event as VulnerabilitiesFound).data.vulnerabilities.map(vulnerable);
    default:
      return [];
  }
}

function vulnerable({ id, severity, purl, certain, artifact }: FoundVulnerability): Occurrence {
  const has = certain ? 'has' : 'may have';
  const description = `${purl} in ${artifact} ${has} ${id} (${severity ?? 'of unknown severity'})`;
  const vulnerability = { id, severity, component: purl, certain };
  return { ...occurrenceOf('ON_VULNERABLE_ENV', 'VULNERABLE_ENV', description, null), vulnerability };
}

/** Such as `2026-11-27 09:00 UTC`. @param at integer milliseconds */
function momentText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function occurrenceOf(
  trigger: Trigger,
  type: EventType,
  description: string,
  artifact: MessageItem['artifact'],
): Occurrence {
  return { trigger, type, description, artifact };
}

/**
 * The kind of occurrence that listeners get for a change; null if they get none. One fingerprint under two names is one artifact. It starts with the
 * first name and exits with the last one.
 */
export function changeKindOf({
  change,
  wholly,
  fingerprint,
}: Pick<SnapshotChange, 'change' | 'wholly' | 'fingerprint'>): 'started' | 'exited' | 'scaled' | null {
  // An artifact with an unknown digest causes no occurrence.
  if (fingerprint === '') return null;
  switch (change) {
    case 'started':
    case 'changed':
      return wholly ? 'started' : null;
    case 'exited':
      return wholly ? 'exited' : null;
    case 'scaled':
      return 'scaled';
    case 'updated-provenance':
      return null;
  }
}

function occurrencesOfChange(change: SnapshotChange): Occurrence[] {
  const { was, now } = change;
  switch (changeKindOf(change)) {
    case 'started':
      return [occurrenceOf('ON_STARTED_ARTIFACT', 'ARTIFACT_STARTED', describeCount(0, now), artifactOf(change))];
    case 'exited':
      return [occurrenceOf('ON_EXITED_ARTIFACT', 'ARTIFACT_EXITED', describeCount(was, 0), artifactOf(change))];
    case 'scaled':
      return [occurrenceOf('ON_SCALED_ARTIFACT', 'ARTIFACT_SCALED', describeCount(was, now), artifactOf(change))];
    case null:
      return [];
  }
}

function verdict(was: boolean | null, now: boolean | null): Occurrence[] {
  if (now === false && was !== false) {
    // Without an earlier verdict, it is unknown whether it was compliant.
    const description = was === null ? 'The environment is not compliant' : 'The environment is not compliant any more';
    return [occurrenceOf('ON_NON_COMPLIANT_ENV', 'NON_COMPLIANT_ENV', description, null)];
  }
  if (now === true && was === false) {
    return [occurrenceOf('ON_COMPLIANT_ENV', 'COMPLIANT_ENV', 'The environment is compliant now', null)];
  }
  return [];
}

function artifactOf({ name, fingerprint, compliant, flows, kind }: SnapshotChange): MessageItem['artifact'] {
  const [first] = flows;
  const artifact = { name, fingerprint, compliant, ...(kind === undefined ? {} : { kind }) };
  if (first === undefined) return { ...artifact, provenance: null };
  const { artifactId, flow, trail, gitCommit, commitUrl, buildUrl } = first;
  return {
    ...artifact,
    provenance: { flow: flow.name, artifactId, trail, gitCommit, commitUrl, buildUrl },
  };
}

/** The events of an environment or flow that a notification sends; none if the notification does not list it. */
export function occurrencesFor(
  {
    deleted,
    environments,
    flows = [],
    triggers,
  }: Pick<Notification, 'deleted' | 'environments' | 'flows' | 'triggers'>,
  source: string,
  occurrences: readonly Occurrence[],
): readonly Occurrence[] {
  if (deleted || !(environments.includes(source) || flows.includes(source))) return [];
  return occurrences.filter(({ trigger }) => triggers.includes(trigger));
}
