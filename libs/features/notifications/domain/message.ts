import type { DeploymentKind, RunningProvenance } from '@assurance/contracts/environments/events';
import type { Severity } from '@assurance/contracts/vulnerabilities/events';

/** The types of events, as payloads of webhooks name them. */
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

/** Where a told artifact comes from. */
export type MessageProvenance = Pick<
  RunningProvenance,
  'artifactId' | 'gitCommit' | 'commitUrl' | 'buildUrl' | 'trail'
> & {
  /** Name of the flow then. */
  readonly flow: string;
};

export interface MessageArtifact {
  readonly name: string;
  readonly fingerprint: string;
  /** The verdict on it, null where nothing judges. */
  readonly compliant: boolean | null;
  /** Of the first flow that reported it; null if no flow did. */
  readonly provenance: MessageProvenance | null;
  /** Of one that started: what its deployment is; left out where unknown. */
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
  /** Null where no entry states one. */
  readonly severity: Severity | null;
  /** Package URL of the first component with it. */
  readonly component: string;
  /** Whether the component certainly has it. */
  readonly certain: boolean;
}

/** One event of a message. */
export interface MessageItem {
  readonly type: EventType;
  /** Such as `1 instance started running (from 0 to 1)`. */
  readonly description: string;
  /** Null for events about the whole environment or trail. */
  readonly artifact: MessageArtifact | null;
  /** Of an event that reports one; left out of others. */
  readonly attestation?: MessageAttestation;
  /** Of an event about one; left out of others. */
  readonly key?: MessageKey;
  /** Of an event about one; left out of others. */
  readonly vulnerability?: MessageVulnerability;
}

/** Where in a flow something happened. */
export interface MessageTrail {
  /** Name of the flow. */
  readonly flow: string;
  /** Its name; null for an artifact that was reported without one. */
  readonly trail: string | null;
}

/** The content of a message in any channel. It describes the moment of the event. */
export interface Message {
  /** Names. */
  readonly org: string;
  readonly notification: string;
  /** Null for a test, and for a message about a flow. */
  readonly environment: string | null;
  /** Left out of a message that is not about a flow. */
  readonly trail?: MessageTrail;
  /** Integer milliseconds. */
  readonly at: number;
  /** The newest snapshot then; null where there was none. */
  readonly snapshot: { readonly index: number; readonly compliant: boolean | null } | null;
  readonly told: readonly MessageItem[];
  /** The number of events of each type. It may exceed the number of events in the message. */
  readonly counts: Readonly<Partial<Record<EventType, number>>>;
}
