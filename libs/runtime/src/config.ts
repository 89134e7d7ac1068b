import type { Settings } from '@assurance/event-sourcing/tokens';
import type { Role } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import type { KafkaSecurity } from '@assurance/storage/kafka';
import { type BlobStorage, blobStorage } from './blobs/bucket-settings';
import { kafkaSecurity } from './kafka-security';
import { openIdConnect } from './openid-settings';
import { proxiesOf } from './proxy-settings';
import { type EffectiveSetting, SettingsReader, valid, InvalidSetting } from './settings-reader';
import { tlsPaths, type TlsPaths } from './tls/tls-settings';
import {
  hiddenText,
  host,
  httpsUrls,
  integer,
  kafkaBrokers,
  kafkaPrefix,
  kafkaTopic,
  loneSetting,
  mongodbUrl,
  networks,
  oneOf,
  organizationNames,
  origins,
  publicUrl,
  type ReadSetting,
  secret,
  smtpUrl,
  socketAddresses,
  text,
} from './variables';

/** `ASSURANCE_REGION`. Two regional installations differ in this setting and in their URL. */
const REGIONS = ['eu', 'us', 'none'] as const;
export type Region = (typeof REGIONS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MiB = 1024 * 1024;
/** The highest value of a limit on stored bytes. */
const STORED_MAX = 999_999_999_999_999;

const OPERATIONS_PORT = 8002;

/** The storage engines. */
type Storage = { readonly kind: 'embedded'; /** Path as given. */ readonly folder: string } | ScaledStorage;

/** The addresses of MongoDB and Kafka. */
export interface ScaledStorage {
  readonly kind: 'scaled';
  readonly mongodbUrl: string;
  readonly database: string;
  readonly kafkaBrokers: readonly string[];
  /** The prefix of the names of topics and consumer groups. */
  readonly kafkaPrefix: string;
  readonly kafkaSecurity: KafkaSecurity;
  /** The topic of public events; null: none. */
  readonly cloudEventsTopic: string | null;
}

/** The services that a gateway forwards requests to. */
export type Service = Exclude<Role['name'], 'gateway'>;

/** An address to listen on. Port 0 takes a free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The complete configuration, checked. */
export interface Config extends Address, Omit<Settings, 'publicUrl' | 'region'> {
  /** The address of the operations API. */
  readonly operations: Address;
  /** Without a slash at its end; null: `http://localhost:<port>`. */
  readonly publicUrl: string | null;
  readonly region: Region;
  readonly storage: Storage;
  /** The bucket for attachments; null: none. */
  readonly blobs: BlobStorage | null;
  /** Certificates for listeners, and for calls from gateways to services; null: none. */
  readonly tls: TlsPaths | null;
  /** Path of the file that declares organizations, users and keys; null: none. */
  readonly bootstrapFile: string | null;
  /** Null: the service makes a secret once and keeps it in the data folder. */
  readonly secret: string | null;
  /** The previous secret. It is set while the secret is changed, so that texts which it encrypted or signed remain valid. */
  readonly previousSecret: string | null;
  readonly logLevel: LogLevel;
  /** The origins of the instances of services that run in other processes, for a gateway; null if none are named. */
  readonly services: Readonly<Record<Service, readonly string[] | null>>;
  /** How long a gateway waits for a service that sends nothing, in milliseconds. */
  readonly serviceSilenceMs: number;
  /** How long new connections are accepted after the process was asked to stop, in milliseconds. */
  readonly acceptingMs: number;
  /** How often operators make backups, in seconds; null: they do not say. */
  readonly backupEverySeconds: number | null;
  /** Further addresses, with port, through which gateways reach this process. */
  readonly reachedAt: readonly string[];
}

/** A configuration, and what it was made of. */
interface ReadConfig {
  readonly config: Config;
  /** One sentence each. */
  readonly warnings: readonly string[];
  readonly settings: readonly EffectiveSetting[];
}

/**
 * Reads the settings from environment variables, and from the YAML file that `ASSURANCE_CONFIG_FILE` names. Both use the
 * same names, and the environment wins. An empty value counts as missing. A secret may be in its own file, which
 * `<NAME>_FILE` names.
 *
 * @param readFile returns a file's text; throws if it cannot read it
 * @returns the configuration with warnings (one sentence each), or one sentence about the first wrong value
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Result<ReadConfig, string> {
  try {
    const settings = new SettingsReader(env, readFile);
    const config = configOf(settings.read);
    return ok({ config, warnings: settings.warnings(), settings: settings.settings() });
  } catch (fault) {
    if (fault instanceof InvalidSetting) return err(fault.message);
    throw fault;
  }
}

/**
 * Reads every setting, and then checks that the settings fit each other.
 *
 * @throws InvalidSetting
 */
function configOf(read: ReadSetting): Config {
  const port = read('ASSURANCE_PORT', integer(0, 65_535, 8001));
  const listensAt = read('ASSURANCE_HOST', host('127.0.0.1'));
  const operationsPort = read('ASSURANCE_OPERATIONS_PORT', integer(0, 65_535, null));
  const operations = {
    host: read('ASSURANCE_OPERATIONS_HOST', host('127.0.0.1')),
    // A process with a random API port, such as in a test, gets a random port here too.
    port: operationsPort ?? (port === 0 ? 0 : OPERATIONS_PORT),
  };
  const folder = read('ASSURANCE_DATA_DIR', text('./data'));
  const installation = {
    publicUrl: read('ASSURANCE_PUBLIC_URL', publicUrl),
    region: read('ASSURANCE_REGION', oneOf(REGIONS, 'none')),
    bootstrapFile: read('ASSURANCE_BOOTSTRAP_FILE', text(null)),
    secret: read('ASSURANCE_SECRET', secret),
    previousSecret: read('ASSURANCE_PREVIOUS_SECRET', secret),
  };
  const limits = {
    bodyBytes: read('ASSURANCE_MAX_BODY_BYTES', integer(1024, 1024 * MiB, 32 * MiB)),
    evidenceBytes: read('ASSURANCE_MAX_EVIDENCE_BYTES', integer(1024, 64 * MiB, 16 * MiB)),
    artifactsPerReport: read('ASSURANCE_MAX_ARTIFACTS_PER_REPORT', integer(1, 1_000_000, 20_000)),
    attachmentBytes: read('ASSURANCE_MAX_ATTACHMENT_BYTES', integer(1024, 1024 * 1024 * MiB, 256 * MiB)),
    storedBytes: {
      events: read('ASSURANCE_MAX_EVENT_BYTES_PER_ORGANIZATION', integer(0, STORED_MAX, 50 * 1024 * MiB)),
      attachments: read('ASSURANCE_MAX_ATTACHMENT_BYTES_PER_ORGANIZATION', integer(0, STORED_MAX, 200 * 1024 * MiB)),
    },
    requestsAtOnce: read('ASSURANCE_MAX_REQUESTS_AT_ONCE', integer(1, 1_000_000, 1_000)),
    bodyBytesAtOnce: read('ASSURANCE_MAX_BODY_BYTES_AT_ONCE', integer(1024, 1024 * 1024 * MiB, 128 * MiB)),
    perMinute: {
      organization: read('ASSURANCE_MAX_REQUESTS_PER_MINUTE', integer(0, 1_000_000_000, 1_200_000)),
      key: read('ASSURANCE_MAX_REQUESTS_PER_MINUTE_PER_KEY', integer(0, 1_000_000_000, 600_000)),
    },
    wrongKeysPerMinute: read('ASSURANCE_MAX_WRONG_KEYS_PER_MINUTE', integer(0, 1_000_000_000, 300)),
  };
  const callers = {
    trustedProxies: read('ASSURANCE_TRUSTED_PROXIES', networks),
    reachedAt: read('ASSURANCE_REACHED_AT', socketAddresses),
    pagesFolder: read('ASSURANCE_PAGES_DIR', text(null)),
    sessions: {
      idleMs: read('ASSURANCE_SESSION_IDLE_MINUTES', integer(1, 525_600, 480)) * 60_000,
      longestMs: read('ASSURANCE_SESSION_HOURS', integer(1, 8_760, 168)) * 3_600_000,
    },
    assistantsWrite: read('ASSURANCE_MCP_TOOLS', oneOf(['read', 'write'], 'read')) === 'write',
  };
  const provider = openIdConnect(read);
  const organizations = {
    by: read('ASSURANCE_ORGANIZATIONS_BY', oneOf(['users', 'operators'], 'users')),
    perUser: read('ASSURANCE_MAX_ORGANIZATIONS_PER_USER', integer(1, 1_000_000, 10)),
  };
  const perOrganization = {
    environments: read('ASSURANCE_MAX_ENVIRONMENTS', integer(1, 1_000_000, 5_000)),
    flows: read('ASSURANCE_MAX_FLOWS', integer(1, 1_000_000, 5_000)),
    repositories: read('ASSURANCE_MAX_REPOSITORIES', integer(1, 1_000_000, 20_000)),
    controls: read('ASSURANCE_MAX_CONTROLS', integer(1, 1_000_000, 5_000)),
    attestationTypes: read('ASSURANCE_MAX_ATTESTATION_TYPES', integer(1, 1_000_000, 1_000)),
    policies: read('ASSURANCE_MAX_POLICIES', integer(1, 10_000, 500)),
    spaces: read('ASSURANCE_MAX_SPACES', integer(1, 5_000, 500)),
  };
  const logLevel = read('ASSURANCE_LOG_LEVEL', oneOf(LOG_LEVELS, 'info'));
  const notifying = notifyingOf(read);
  const vulnerabilitySources = vulnerabilitySourcesOf(read);
  const proxies = proxiesOf(read);
  const storage = storageOf(read, folder, installation.secret);
  const blobs = blobStorage(read);
  const tls = tlsPaths(read);
  const services = {
    ingestion: read('ASSURANCE_INGESTION_URL', origins),
    projection: read('ASSURANCE_PROJECTION_URL', origins),
    'notification-dispatcher': read('ASSURANCE_NOTIFICATION_DISPATCHER_URL', origins),
    'audit-package': read('ASSURANCE_AUDIT_PACKAGE_URL', origins),
  };
  const acceptingMs = read('ASSURANCE_STOP_DELAY_MS', integer(0, 600_000, 0));
  const backupEverySeconds = read('ASSURANCE_BACKUP_EVERY_SECONDS', integer(60, 31_536_000, null));
  const serviceSilenceMs = read('ASSURANCE_SERVICE_SILENCE_MS', integer(10, 3_600_000, 30_000));

  const checkedConfig = {
    storage: valid(storage),
    blobs: valid(blobs),
    tls: valid(tls),
    vulnerabilitySources: valid(vulnerabilitySources),
  };
  if (installation.previousSecret !== null && installation.secret === null) {
    throw new InvalidSetting('ASSURANCE_PREVIOUS_SECRET is set and ASSURANCE_SECRET is not: set the new one with it.');
  }
  return {
    port,
    host: listensAt,
    operations,
    services,
    serviceSilenceMs,
    acceptingMs,
    backupEverySeconds,
    logLevel,
    notifying,
    organizations,
    proxies,
    ...installation,
    ...callers,
    ...checkedConfig,
    openIdConnect: valid(provider),
    limits: { ...limits, perOrganization },
  };
}

function notifyingOf(read: ReadSetting): Config['notifying'] {
  const targetNetworks = read('ASSURANCE_TARGET_NETWORKS', networks);
  const url = read('ASSURANCE_SMTP_URL', smtpUrl);
  const from = read('ASSURANCE_SMTP_FROM', text('assurance@localhost'));
  const token = read('ASSURANCE_SLACK_TOKEN', hiddenText);
  return {
    targetNetworks,
    smtp: url === null ? null : { url, from },
    slack: { apiUrl: read('ASSURANCE_SLACK_API_URL', text('https://slack.com/api')), token },
    keepDays: read('ASSURANCE_KEEP_DELIVERIES_DAYS', integer(2, 36_500, 90)),
  };
}

function vulnerabilitySourcesOf(read: ReadSetting): Result<Config['vulnerabilitySources'], string> {
  const urls = read('ASSURANCE_VULNERABILITIES_URL', httpsUrls);
  const organizations = read('ASSURANCE_VULNERABILITIES_ORGANIZATIONS', organizationNames);
  const everyMs = read('ASSURANCE_VULNERABILITIES_EVERY_MINUTES', integer(15, 10_080, 1_440)) * 60_000;
  const lone = loneSetting({
    ASSURANCE_VULNERABILITIES_URL: urls?.join() ?? null,
    ASSURANCE_VULNERABILITIES_ORGANIZATIONS: organizations?.join() ?? null,
  });
  return lone === null ? ok({ urls: urls ?? [], organizations: organizations ?? [], everyMs }) : err(lone);
}

function storageOf(read: ReadSetting, folder: string, secret: string | null): Result<Storage, string> {
  const mongo = read('MONGODB_URL', mongodbUrl);
  const brokers = read('KAFKA_BROKERS', kafkaBrokers);
  const prefix = read('ASSURANCE_KAFKA_PREFIX', kafkaPrefix);
  const cloudEventsTopic = read('ASSURANCE_CLOUDEVENTS_TOPIC', kafkaTopic);
  const security = kafkaSecurity(read);
  if (mongo === null && brokers === null) {
    return cloudEventsTopic === null
      ? ok({ kind: 'embedded', folder })
      : err(
          'ASSURANCE_CLOUDEVENTS_TOPIC is set, but the embedded engine has no Kafka to publish events on: ' +
            'set MONGODB_URL and KAFKA_BROKERS too, or leave it out.',
        );
  }
  if (brokers === null) return err(missingPair('MONGODB_URL', 'KAFKA_BROKERS'));
  if (mongo === null) return err(missingPair('KAFKA_BROKERS', 'MONGODB_URL'));
  if (secret === null) {
    return err(
      'ASSURANCE_SECRET is not set, but with MONGODB_URL and KAFKA_BROKERS it must be, the same on all services.',
    );
  }
  if (!security.ok) return security;
  return ok({
    kind: 'scaled',
    mongodbUrl: mongo.url,
    database: mongo.database,
    kafkaBrokers: brokers,
    kafkaPrefix: prefix,
    kafkaSecurity: security.value,
    cloudEventsTopic,
  });
}

function missingPair(set: string, missing: string): string {
  return `${set} is set and ${missing} is not: set both for the scaled engines, or neither for the embedded one.`;
}
