import type { DomainEvent } from '../events/event';

/** Triggers of an environment notification (specification 4.2), followed by our own. */
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
/** Triggers of a notification of flows. `ON_APPROVAL` and `ON_RELEASE` are accepted because clients send them, but they never fire. */
export const FLOW_TRIGGERS = [
  'ON_STARTED_TRAIL',
  'ON_ATTESTED_PROVENANCE',
  'ON_ATTESTATION',
  'ON_APPROVAL',
  'ON_RELEASE',
] as const;
export type Trigger = (typeof TRIGGERS)[number] | (typeof FLOW_TRIGGERS)[number];

/** The source of a notification: environments, flows, or the expiry of API keys. It never changes. */
export type NotificationType = 'env' | 'flow' | 'api_key_expiry';

/** A secret text that is stored encrypted outside the event log, under this id. Events never contain it. */
export interface SecretRef {
  readonly id: string;
  /** Its last four characters. */
  readonly last4: string;
}

/** A channel of a Slack workspace with an installed app. */
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
  /** Addresses separated by commas, as they were sent. */
  readonly emails: string;
}

/** Channels with targets that have only a URL. Bodies, answers and stored data follow from a name in this list. */
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

/** The final destination of a message. */
export type Channel = SlackTarget | WebhookTarget | EmailTarget | UrlTarget;

/** A target keeps its id until a caller changes one of its settings. */
export type ChannelTarget = { readonly id: string } & Channel;
export type Target = ChannelTarget | ({ readonly id: string } & NestedTarget);

/** Settings of a notification. */
export interface NotificationSettings<T = Target> {
  readonly name: string;
  /** Ids of environments. */
  readonly environments: readonly string[];
  /** Ids of flows; left out for a notification of environments. */
  readonly flows?: readonly string[];
  readonly triggers: readonly Trigger[];
  readonly targets: readonly T[];
}

export interface NotificationCreated extends DomainEvent<'NotificationCreated', 1> {
  readonly data: { readonly number: number; readonly type: NotificationType } & NotificationSettings;
}
/** Contains only the changed fields. */
export type NotificationUpdated = DomainEvent<'NotificationUpdated', 1, Partial<NotificationSettings>>;
export type NotificationDeleted = DomainEvent<'NotificationDeleted', 1, Record<never, never>>;
/** A test message to every target was requested, to see whether it arrives. */
export type NotificationTested = DomainEvent<'NotificationTested', 1, Record<never, never>>;

/** A webhook target got a new secret. Messages are signed with it from now on. */
export interface SigningSecretIssued extends DomainEvent<'SigningSecretIssued', 1> {
  readonly data: {
    /** Id of the target. */
    readonly target: string;
    readonly secret: SecretRef;
    /** Until this time, messages also carry a signature with the previous secret: integer milliseconds. Null if there was none. */
    readonly previousUntil: number | null;
  };
}

export type NotificationEvent =
  NotificationCreated | NotificationUpdated | NotificationDeleted | NotificationTested | SigningSecretIssued;

/** A notification number of an organization was assigned. It is never assigned again. */
export type NotificationNumberTaken = DomainEvent<'NotificationNumberTaken', 1, { readonly number: number }>;
export type NotificationNumbersEvent = NotificationNumberTaken;

/** A named list of targets that several notifications can share. */
export interface TargetConfigCreated extends DomainEvent<'TargetConfigCreated', 1> {
  readonly data: { readonly id: string; readonly name: string; readonly targets: readonly ChannelTarget[] };
}
export type TargetConfigUpdated = DomainEvent<'TargetConfigUpdated', 1, { readonly targets: readonly ChannelTarget[] }>;
export type TargetConfigDeleted = DomainEvent<'TargetConfigDeleted', 1, Record<never, never>>;
export type TargetConfigEvent = TargetConfigCreated | TargetConfigUpdated | TargetConfigDeleted | SigningSecretIssued;

/** An event for external programs, with the attributes of CloudEvents 1.0 and its data. */
export interface PublicEvent {
  /** The same event always has the same id. Consumers deduplicate by it. */
  readonly id: string;
  /** A URI reference. */
  readonly source: string;
  /** The type with its version, such as `assurance.trail.begun.v1`. */
  readonly type: string;
  readonly subject: string;
  /** When it happened: integer milliseconds since 1970. */
  readonly at: number;
  /** Events with the same key keep their order. */
  readonly key: string;
  readonly data: object;
}
