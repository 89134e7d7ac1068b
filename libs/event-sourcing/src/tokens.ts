import type { Role } from '@assurance/contracts/access/events';
import type { Proxies } from '@assurance/kernel';
import type { Engines } from '@assurance/storage-ports';
import type { Checkpointer } from './checkpoints/checkpointer';
import type { Signer } from './checkpoints/keys';

/** Injection tokens of what `runtime` provides to every role: `@Inject(PORTS) ports: Engines`. */
export const PORTS = Symbol('ports');
export const CLOCK = Symbol('clock');
export const IDS = Symbol('ids');
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
export const HEALTH = Symbol('health');
/** The topic that others read: `PublicEvents`, or null where none is configured. */
export const PUBLIC_EVENTS = Symbol('public-events');

export type Ports = Engines;

export interface Clock {
  /** Integer milliseconds since 1970. The machine's clock may be set, forwards or back, by hours: for moments, never for lengths of time. */
  now(): number;
  /** Milliseconds that pass evenly, since some moment: for lengths of time. */
  steady(): number;
  /** The earliest value of `now` in the last 30 seconds. No time that was recorded in these seconds is older. */
  earliest(): number;
}

export interface Ids {
  /** A new UUIDv7. */
  next(): string;
  /** `bytes` random bytes. */
  random(bytes: number): Uint8Array;
}

/** Settings of the installation that roles use. */
export interface Settings {
  /** Base of links and messages, without a final slash; may carry a path. */
  readonly publicUrl: string;
  readonly region: 'eu' | 'us' | null;
  readonly limits: Limits;
  readonly notifying: NotifyingSettings;
  /** Proxies on the way to targets of notifications, sources of vulnerabilities, to the OpenID Connect provider and to the bucket. */
  readonly proxies: Proxies;
  /** Networks of proxies in front of the service, in CIDR notation: they tell the caller's address. */
  readonly trustedProxies: readonly string[];
  /** Path of the built pages; null: where the build puts them. */
  readonly pagesFolder: string | null;
  /** When the sessions of browsers end, in milliseconds: after so long without a request, and at the latest. */
  readonly sessions: { readonly idleMs: number; readonly longestMs: number };
  /** Where people sign in beside with API keys; null: nowhere. */
  readonly openIdConnect: OpenIdConnect | null;
  /** Whether assistants may change something, as their keys may. */
  readonly assistantsWrite: boolean;
  /** Where vulnerabilities and VEX statements are fetched from, for which organizations, by name, and how often (milliseconds). */
  readonly vulnerabilitySources: {
    readonly urls: readonly string[];
    readonly organizations: readonly string[];
    readonly everyMs: number;
  };
  /** Who makes organizations through the API, and how many a user may make. */
  readonly organizations: { readonly by: 'users' | 'operators'; readonly perUser: number };
}

/** An OpenID Connect provider, and what becomes of those who sign in there. */
export interface OpenIdConnect {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which has PKCE alone. */
  readonly clientSecret: string | null;
  /** Where the secret goes: into the `Authorization` header, or into the form. */
  readonly clientAuthentication: 'basic' | 'post';
  /** The name that people see. */
  readonly name: string;
  /** With spaces between. */
  readonly scopes: string;
  /** Domains of the addresses that may sign in, in lower case; an empty list: all, and people without a verified address. */
  readonly emailDomains: readonly string[];
  /** Name of the claim that lists groups. */
  readonly groupsClaim: string;
  /** Which groups give which role in which organization; the group `*` is everybody. */
  readonly roles: readonly { readonly organization: string; readonly role: Role; readonly groups: readonly string[] }[];
}

/** How messages of notifications leave the installation. */
export interface NotifyingSettings {
  /** Private networks to which messages may be sent, in CIDR notation. Public ones are always allowed. */
  readonly targetNetworks: readonly string[];
  /** Null: no mail is sent. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly slack: { readonly apiUrl: string; /** Of the installed app. */ readonly token: string | null };
  /** For how many days sent messages are stored. */
  readonly keepDays: number;
}

/** Bytes that an organization has stored. */
export interface StoredBytes {
  /** Of events, with what comes with each commit; what is made of them (lists, indexes) does not count. */
  readonly events: number;
  /** Of attachments, each content once. */
  readonly attachments: number;
}
export type StoredKind = keyof StoredBytes;

export interface Limits {
  /** The most bytes of a body. */
  readonly bodyBytes: number;
  /** The most bytes of evidence: of the JSON of attestations, trails and artifacts. */
  readonly evidenceBytes: number;
  readonly artifactsPerReport: number;
  /** The most bytes of one attachment. */
  readonly attachmentBytes: number;
  /** The most requests under way at once. */
  readonly requestsAtOnce: number;
  /** The most bytes of bodies under way at once. */
  readonly bodyBytesAtOnce: number;
  /** The most requests in a minute, over all gateways; 0: as many as come. */
  readonly perMinute: { readonly key: number; readonly organization: number };
  /** The most requests with a wrong key from one address in a minute, at one gateway; 0: no limit. */
  readonly wrongKeysPerMinute: number;
  /** The most bytes that an organization stores, of each; 0: as many as come. */
  readonly storedBytes: StoredBytes;
  /**
   * The most of each that an organization may have, including archived ones, because filtered lists read all of them.
   */
  readonly perOrganization: {
    readonly attestationTypes: number;
    readonly controls: number;
    readonly policies: number;
    readonly environments: number;
    readonly flows: number;
    readonly repositories: number;
    readonly spaces: number;
  };
}

/** Whether this process can do its work: `@Inject(HEALTH) health: Health`. */
export interface Health {
  /** Names what is missing, in a few words each; empty when nothing is. */
  problems(): Promise<string[]>;
}

/** The part of pino that roles use. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Signs in the name of the installation: `@Inject(SIGNERS) signers: Signers`. */
export const SIGNERS = Symbol('signers');

/** Of the present secret, which alone signs, and of the previous one while it is given. */
export type Signers = readonly [Signer, ...Signer[]];

/** Signs checkpoints over what is committed: `@Inject(CHECKPOINTER) checkpointer: SignsCheckpoints | null`, null where roles of another process do. */
export const CHECKPOINTER = Symbol('checkpointer');

export type SignsCheckpoints = Pick<Checkpointer, 'sign'>;
