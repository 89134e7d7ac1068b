import type { DeploymentKind, RunningProvenance } from '@assurance/contracts/environments/events';
import type { Severity } from '@assurance/contracts/vulnerabilities/events';

/** The types of events. Payloads of webhooks use these names. */
export const EVENT_TYPES = [
  'ARTIFACT_STARTED',
  'ARTIFACT_EXITED',
  'ARTIFACT_SCALED',
  'ARTIFACT_ALLOWED',
  'NON_COMPLIANT_ENV',
  'COMPLIANT_ENV',
  'ALLOWANCE_ENDING',
  'STALE_ENV',
  'VULNERABLE_ENV',
  'TRAIL_STARTED',
  'PROVENANCE_ATTESTED',
  'ATTESTATION_REPORTED',
  'API_KEY_EXPIRING',
  'TEST',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The origin of an artifact in a message. */
export type MessageProvenance = Pick<
  RunningProvenance,
  'artifactId' | 'gitCommit' | 'commitUrl' | 'buildUrl' | 'trail'
> & {
  /** Name of the flow at that time. */
  readonly flow: string;
};

export interface MessageArtifact {
  readonly name: string;
  readonly fingerprint: string;
  /** The verdict on it; null if nothing judges it. */
  readonly compliant: boolean | null;
  /** From the first flow that reported it; null if no flow did. */
  readonly provenance: MessageProvenance | null;
  /** The kind of deployment, if the artifact started; absent if it is unknown. */
  readonly kind?: DeploymentKind;
}

export interface MessageAttestation {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly compliant: boolean;
}

export interface MessageKey {
  readonly id: string;
  readonly description: string;
  /** Name of the service account. */
  readonly account: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

export interface MessageVulnerability {
  readonly id: string;
  /** Null if no entry states one. */
  readonly severity: Severity | null;
  /** Package URL of the first component that has the vulnerability. */
  readonly component: string;
  /** False if the component only may have it. */
  readonly certain: boolean;
}

/** One event of a message. */
export interface MessageItem {
  readonly type: EventType;
  /** Such as `1 instance started running (from 0 to 1)`. */
  readonly description: string;
  /** Null for events about the whole environment or trail. */
  readonly artifact: MessageArtifact | null;
  /** Absent if the event does not report one. */
  readonly attestation?: MessageAttestation;
  /** Absent if the event is not about one. */
  readonly key?: MessageKey;
  /** Absent if the event is not about one. */
  readonly vulnerability?: MessageVulnerability;
}

/** The flow and trail of an event. */
export interface MessageTrail {
  /** Name of the flow. */
  readonly flow: string;
  /** Name of the trail; null for an artifact that was reported without one. */
  readonly trail: string | null;
}

/** The content of a message in any channel. It describes the moment of the event. */
export interface Message {
  /** Names. */
  readonly org: string;
  readonly notification: string;
  /** Null for a test, and for a message about a flow. */
  readonly environment: string | null;
  /** Absent if the message is not about a flow. */
  readonly trail?: MessageTrail;
  /** Integer milliseconds. */
  readonly at: number;
  /** The newest snapshot at that time; null if there was none. */
  readonly snapshot: { readonly index: number; readonly compliant: boolean | null } | null;
  readonly told: readonly MessageItem[];
  /** The number of events of each type. It may exceed the number of events in the message. */
  readonly counts: Readonly<Partial<Record<EventType, number>>>;
}
