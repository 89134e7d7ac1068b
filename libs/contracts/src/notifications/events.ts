import type { DomainEvent } from '../events/event';

/** Triggers of an environment notification (specification 4.2), and those of ours after them. */
export const TRIGGERS = [
  'ON_STARTED_ARTIFACT',
  'ON_EXITED_ARTIFACT',
  'ON_SCALED_ARTIFACT',
  'ON_ALLOWED_ARTIFACT',
  'ON_NON_COMPLIANT_ENV',
  'ON_COMPLIANT_ENV',
  'ON_STALE_ENV',
  'ON_VULNERABLE_ENV',
] as const;
/** Triggers of a notification of flows. `ON_APPROVAL` and `ON_RELEASE` are accepted for clients that send them, and nothing fires them. */
export const FLOW_TRIGGERS = [
  'ON_STARTED_TRAIL',
  'ON_ATTESTED_PROVENANCE',
  'ON_ATTESTATION',
  'ON_APPROVAL',
  'ON_RELEASE',
] as const;
export type Trigger = (typeof TRIGGERS)[number] | (typeof FLOW_TRIGGERS)[number];

/** What a notification listens to: environments, flows, or the clock over API keys. It never changes. */
export type NotificationType = 'env' | 'flow' | 'api_key_expiry';

/** A text that is kept sealed beside the log, under this id: events never hold it. */
export interface SecretRef {
  readonly id: string;
  /** Its last four characters. */
  readonly last4: string;
}

/** A channel of a Slack workspace in which an app is installed. */
export interface SlackContext {
  readonly team_id?: string;
  readonly channel_id?: string;
  readonly channel_name?: string;
}

export interface SlackTarget {
  readonly type: 'SLACK';
  /** URL of an incoming webhook; null: the installed app posts. */
  readonly webhook: SecretRef | null;
  readonly context: SlackContext | null;
}

export interface WebhookTarget {
  readonly type: 'WEBHOOK';
  readonly webhook: SecretRef;
  readonly payloadVersion: '1.0' | null;
}

export interface EmailTarget {
  readonly type: 'EMAIL';
  /** As given: addresses with commas between. */
  readonly emails: string;
}

/** Channels whose targets have a URL and no other field. Bodies, answers and what is stored follow from a name in this list. */
export const URL_CHANNELS = ['TEAMS'] as const;

export interface UrlTarget {
  readonly type: (typeof URL_CHANNELS)[number];
  readonly webhook: SecretRef;
}

/** The targets of a target configuration, by its id. */
export interface NestedTarget {
  readonly type: 'NESTED_CONFIG';
  readonly config: string;
}

/** Where a message ends up. */
export type Channel = SlackTarget | WebhookTarget | EmailTarget | UrlTarget;

/** A target keeps its id for as long as nothing that a caller sets changes in it. */
export type ChannelTarget = { readonly id: string } & Channel;
export type Target = ChannelTarget | ({ readonly id: string } & NestedTarget);

/** Settings of a notification. */
export interface NotificationSettings<T = Target> {
  readonly name: string;
  /** Ids. */
  readonly environments: readonly string[];
  /** Ids; left out of a notification of environments. */
  readonly flows?: readonly string[];
  readonly triggers: readonly Trigger[];
  readonly targets: readonly T[];
}

export interface NotificationCreated extends DomainEvent<'NotificationCreated', 1> {
  readonly data: { readonly number: number; readonly type: NotificationType } & NotificationSettings;
}
/** Holds what changed, and nothing else. */
export type NotificationUpdated = DomainEvent<'NotificationUpdated', 1, Partial<NotificationSettings>>;
export type NotificationDeleted = DomainEvent<'NotificationDeleted', 1, Record<never, never>>;
/** Somebody asked for a message to every target, to see whether it arrives. */
export type NotificationTested = DomainEvent<'NotificationTested', 1, Record<never, never>>;

/** A webhook target got a secret by which its messages are signed from now on. */
export interface SigningSecretIssued extends DomainEvent<'SigningSecretIssued', 1> {
  readonly data: {
    /** Id of the target. */
    readonly target: string;
    readonly secret: SecretRef;
    /** Until when messages carry a signature by the secret before too: integer milliseconds. Null when there was none. */
    readonly previousUntil: number | null;
  };
}

export type NotificationEvent =
  NotificationCreated | NotificationUpdated | NotificationDeleted | NotificationTested | SigningSecretIssued;

/** A number of an organization's notifications was given out: it is never given out again. */
export type NotificationNumberTaken = DomainEvent<'NotificationNumberTaken', 1, { readonly number: number }>;
export type NotificationNumbersEvent = NotificationNumberTaken;

/** Targets under a name of their own, which several notifications share. */
export interface TargetConfigCreated extends DomainEvent<'TargetConfigCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly targets: readonly ChannelTarget[] };
}
export type TargetConfigUpdated = DomainEvent<'TargetConfigUpdated', 1, { readonly targets: readonly ChannelTarget[] }>;
export type TargetConfigDeleted = DomainEvent<'TargetConfigDeleted', 1, Record<never, never>>;
export type TargetConfigEvent = TargetConfigCreated | TargetConfigUpdated | TargetConfigDeleted | SigningSecretIssued;

/** An event for programs outside of the service: what CloudEvents 1.0 calls attributes, and its data. */
export interface PublicEvent {
  /** The same event always has the same one: consumers deduplicate by it. */
  readonly id: string;
  /** A URI reference. */
  readonly source: string;
  /** With its version, such as `assurance.trail.begun.v1`. */
  readonly type: string;
  readonly subject: string;
  /** When it happened: integer milliseconds since 1970. */
  readonly at: number;
  /** Events of one key keep their order. */
  readonly key: string;
  readonly data: object;
}
