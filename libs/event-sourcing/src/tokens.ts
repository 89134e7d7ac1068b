import type { Role } from '@assurance/contracts/access/events';
import type { Proxies } from '@assurance/kernel';
import type { Engines } from '@assurance/storage-ports';
import type { Checkpointer } from './checkpoints/checkpointer';
import type { Signer } from './checkpoints/keys';

/** Injection tokens of the objects that `runtime` provides to every role: `@Inject(PORTS) ports: Engines`. */
export const PORTS = Symbol('ports');
export const CLOCK = Symbol('clock');
export const IDS = Symbol('ids');
export const SETTINGS = Symbol('settings');
export const LOGGER = Symbol('logger');
export const HEALTH = Symbol('health');
/** The topic of events for other systems: `PublicEvents`, or null if none is configured. */
export const PUBLIC_EVENTS = Symbol('public-events');

export type Ports = Engines;

export interface Clock {
  /** Integer milliseconds since 1970. Use it for points in time, never for durations: the machine's clock may be set forwards or back by hours. */
  now(): number;
  /** Milliseconds since an arbitrary moment, at an even pace. Use it for durations. */
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
  /** Proxies for requests to notification targets, vulnerability sources, the OpenID Connect provider and the bucket. */
  readonly proxies: Proxies;
  /** Networks of proxies in front of the service, in CIDR notation. The service accepts the caller's address from these proxies. */
  readonly trustedProxies: readonly string[];
  /** Path of the built pages. Null: the folder to which the build writes them. */
  readonly pagesFolder: string | null;
  /** When a browser session ends: `idleMs` milliseconds without a request, or `longestMs` milliseconds after its start. */
  readonly sessions: { readonly idleMs: number; readonly longestMs: number };
  /** The provider where people may sign in instead of using an API key. Null: there is none. */
  readonly openIdConnect: OpenIdConnect | null;
  /** Whether assistants may change something, as their keys may. */
  readonly assistantsWrite: boolean;
  /** The URLs of vulnerabilities and VEX statements, the names of the organizations that get them, and how often they are fetched (milliseconds). */
  readonly vulnerabilitySources: {
    readonly urls: readonly string[];
    readonly organizations: readonly string[];
    readonly everyMs: number;
  };
  /** Who may create organizations through the API, and how many each user may create. */
  readonly organizations: { readonly by: 'users' | 'operators'; readonly perUser: number };
}

/** An OpenID Connect provider, the people who may sign in there, and the roles that they get. */
export interface OpenIdConnect {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which uses only PKCE. */
  readonly clientSecret: string | null;
  /** Where the secret goes: into the `Authorization` header, or into the form. */
  readonly clientAuthentication: 'basic' | 'post';
  /** The name that people see. */
  readonly name: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** Domains of the e-mail addresses that may sign in, in lower case. An empty list allows everybody, also people without a verified address. */
  readonly emailDomains: readonly string[];
  /** Whether an address counts as verified where the provider does not say whether it is. */
  readonly trustsEmails: boolean;
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

/** How many bytes an organization has stored. */
export interface StoredBytes {
  /** Events, plus a fixed number for each commit. Data that is derived from events (lists, indexes) does not count. */
  readonly events: number;
  /** Attachments. Equal content counts once. */
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
  /** The most requests in a minute, over all gateways; 0: no limit. */
  readonly perMinute: { readonly key: number; readonly organization: number };
  /** The most requests with a wrong key from one address in a minute, at one gateway; 0: no limit. */
  readonly wrongKeysPerMinute: number;
  /** The most bytes of each kind that an organization stores; 0: no limit. */
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
  /** Describes each known problem in a few words, without waiting for a store; empty if there is none. */
  problems(): readonly string[];
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

/** First the signer of the current secret, which makes all new signatures, then the signer of the previous secret if one is configured. */
export type Signers = readonly [Signer, ...Signer[]];

/** Signs checkpoints of all commits: `@Inject(CHECKPOINTER) checkpointer: SignsCheckpoints | null`. Null if another process signs them. */
export const CHECKPOINTER = Symbol('checkpointer');

export type SignsCheckpoints = Pick<Checkpointer, 'sign'>;
