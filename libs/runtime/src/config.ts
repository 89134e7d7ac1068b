import type { Limits, Role, Settings } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import type { KafkaSecurity } from '@assurance/storage-kafka';
import { BUCKET_VARIABLES, type BlobStorage, blobStorage } from './blobs/bucket-settings';
import { KAFKA_SECURITY_VARIABLES, kafkaSecurity } from './kafka-security';
import { OPENID_VARIABLES, openIdConnect } from './openid-settings';
import { readSettingsFile } from './settings-file';
import { TLS_VARIABLES, tlsPaths, type TlsPaths } from './tls/tls-settings';
import {
  hiddenText,
  host,
  integer,
  kafkaBrokers,
  kafkaPrefix,
  kafkaTopic,
  mongodbUrl,
  networks,
  oneOf,
  origins,
  publicUrl,
  secret,
  smtpUrl,
  socketAddresses,
  text,
  type ValuesOf,
  type Variable,
} from './variables';

/** `ASSURANCE_REGION`: two regional installations differ in this and their URL. */
const REGIONS = ['eu', 'us', 'none'] as const;
export type Region = (typeof REGIONS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MiB = 1024 * 1024;

const OPERATIONS_PORT = 8002;

/** Every setting, by its name. */
const VARIABLES = {
  ASSURANCE_PORT: integer(0, 65_535, 8001),
  ASSURANCE_HOST: host('127.0.0.1'),
  ASSURANCE_OPERATIONS_PORT: integer(0, 65_535, null),
  ASSURANCE_OPERATIONS_HOST: host('127.0.0.1'),
  ASSURANCE_DATA_DIR: text('./data'),
  ASSURANCE_PUBLIC_URL: publicUrl,
  ASSURANCE_REGION: oneOf(REGIONS, 'none'),
  ASSURANCE_BOOTSTRAP_FILE: text(null),
  ASSURANCE_SECRET: secret,
  ASSURANCE_PREVIOUS_SECRET: secret,
  ASSURANCE_MAX_BODY_BYTES: integer(1024, 1024 * MiB, 32 * MiB),
  ASSURANCE_MAX_ARTIFACTS_PER_REPORT: integer(1, 1_000_000, 20_000),
  ASSURANCE_MAX_ATTACHMENT_BYTES: integer(1024, 1024 * 1024 * MiB, 256 * MiB),
  ASSURANCE_MAX_EVENT_BYTES_PER_ORGANIZATION: integer(0, 999_999_999_999_999, 50 * 1024 * MiB),
  ASSURANCE_MAX_ATTACHMENT_BYTES_PER_ORGANIZATION: integer(0, 999_999_999_999_999, 200 * 1024 * MiB),
  ASSURANCE_MAX_REQUESTS_AT_ONCE: integer(1, 1_000_000, 1_000),
  ASSURANCE_MAX_BODY_BYTES_AT_ONCE: integer(1024, 1024 * 1024 * MiB, 128 * MiB),
  ASSURANCE_MAX_REQUESTS_PER_MINUTE: integer(0, 1_000_000_000, 1_200_000),
  ASSURANCE_MAX_REQUESTS_PER_MINUTE_PER_KEY: integer(0, 1_000_000_000, 600_000),
  ASSURANCE_MAX_WRONG_KEYS_PER_MINUTE: integer(0, 1_000_000_000, 300),
  ASSURANCE_TRUSTED_PROXIES: networks,
  ASSURANCE_REACHED_AT: socketAddresses,
  ASSURANCE_PAGES_DIR: text(null),
  ASSURANCE_SESSION_IDLE_MINUTES: integer(1, 525_600, 480),
  ASSURANCE_SESSION_HOURS: integer(1, 8_760, 168),
  ASSURANCE_MCP_TOOLS: oneOf(['read', 'write'], 'read'),
  ...OPENID_VARIABLES,
  ASSURANCE_ORGANIZATIONS_BY: oneOf(['users', 'operators'], 'users'),
  ASSURANCE_MAX_ORGANIZATIONS_PER_USER: integer(1, 1_000_000, 10),
  ASSURANCE_MAX_ENVIRONMENTS: integer(1, 1_000_000, 5_000),
  ASSURANCE_MAX_FLOWS: integer(1, 1_000_000, 5_000),
  ASSURANCE_MAX_REPOSITORIES: integer(1, 1_000_000, 20_000),
  ASSURANCE_MAX_CONTROLS: integer(1, 1_000_000, 5_000),
  ASSURANCE_MAX_ATTESTATION_TYPES: integer(1, 1_000_000, 1_000),
  ASSURANCE_MAX_POLICIES: integer(1, 10_000, 500),
  ASSURANCE_MAX_SPACES: integer(1, 5_000, 500),
  ASSURANCE_LOG_LEVEL: oneOf(LOG_LEVELS, 'info'),
  ASSURANCE_TARGET_NETWORKS: networks,
  ASSURANCE_SMTP_URL: smtpUrl,
  ASSURANCE_SMTP_FROM: text('assurance@localhost'),
  ASSURANCE_SLACK_TOKEN: hiddenText,
  ASSURANCE_SLACK_API_URL: text('https://slack.com/api'),
  ASSURANCE_KEEP_DELIVERIES_DAYS: integer(2, 36_500, 90),
  MONGODB_URL: mongodbUrl,
  KAFKA_BROKERS: kafkaBrokers,
  ASSURANCE_KAFKA_PREFIX: kafkaPrefix,
  ASSURANCE_CLOUDEVENTS_TOPIC: kafkaTopic,
  ...KAFKA_SECURITY_VARIABLES,
  ...BUCKET_VARIABLES,
  ...TLS_VARIABLES,
  ASSURANCE_INGESTION_URL: origins,
  ASSURANCE_PROJECTION_URL: origins,
  ASSURANCE_NOTIFICATION_DISPATCHER_URL: origins,
  ASSURANCE_AUDIT_PACKAGE_URL: origins,
  ASSURANCE_SERVICE_SILENCE_MS: integer(10, 3_600_000, 30_000),
} as const;

type Name = keyof typeof VARIABLES;
type Values = ValuesOf<typeof VARIABLES>;

const CONFIG_FILE = 'ASSURANCE_CONFIG_FILE';

/** `<NAME>_FILE` names a file that holds a secret, as orchestrators mount them. */
const FILE_SUFFIX = '_FILE';

/** The storage engines. */
export type Storage =
  | { readonly kind: 'embedded'; /** Path as given. */ readonly folder: string }
  | {
      readonly kind: 'scaled';
      readonly mongodbUrl: string;
      readonly database: string;
      readonly kafkaBrokers: readonly string[];
      /** Put before the names of topics and consumer groups. */
      readonly kafkaPrefix: string;
      readonly kafkaSecurity: KafkaSecurity;
      /** The topic of public events; null: none. */
      readonly cloudEventsTopic: string | null;
    };

/** The services that a gateway forwards requests to. */
export type Service = Exclude<Role['name'], 'gateway'>;

/** Where to listen; port 0 takes a free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** All that is configured, checked. */
export interface Config extends Address, Omit<Settings, 'publicUrl' | 'region'> {
  /** Where operators and their tools are heard. */
  readonly operations: Address;
  /** Without a slash at its end; null: `http://localhost:<port>`. */
  readonly publicUrl: string | null;
  readonly region: Region;
  readonly storage: Storage;
  /** The bucket for attachments; null: none. */
  readonly blobs: BlobStorage | null;
  /** Certificates of the listeners, and of gateways to services; null: none. */
  readonly tls: TlsPaths | null;
  /** Path of the file of declared organizations, users and keys; null: none. */
  readonly bootstrapFile: string | null;
  /** Null: made once and kept in the data folder. */
  readonly secret: string | null;
  /** While the secret is changed: what the one before it sealed and signed is still read. */
  readonly previousSecret: string | null;
  readonly logLevel: LogLevel;
  /** Where a gateway finds the services that are not in its process: origins of their instances; null where none are named. */
  readonly services: Readonly<Record<Service, readonly string[] | null>>;
  /** How long a gateway waits for a service that keeps silent, in milliseconds. */
  readonly serviceSilenceMs: number;
  /** Addresses with their port under which gateways reach this process, beside its own. */
  readonly reachedAt: readonly string[];
}

/** A configuration, and what in it is probably not meant: one sentence each. */
export interface ReadConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/**
 * Reads the settings from environment variables, and from the YAML file that `ASSURANCE_CONFIG_FILE` names (same names; the environment wins).
 * An empty value is one that is not given. A setting that holds a secret may be in a file of its own, which `<NAME>_FILE` names.
 *
 * @param readFile returns a file's text; throws when it cannot
 * @returns the configuration, or the one sentence that says what is wrong with the first wrong value
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Result<ReadConfig, string> {
  const path = env[CONFIG_FILE] ?? '';
  const file = path === '' ? ok(new Map<string, string>()) : readSettingsFile(path, CONFIG_FILE, readFile);
  if (!file.ok) return file;

  const values: Partial<Record<Name, unknown>> = {};
  for (const [name, variable] of Object.entries(VARIABLES) as [Name, Variable<unknown>][]) {
    const given = givenValue(name, variable.secret === true, env, { path, values: file.value }, readFile);
    if (!given.ok) return given;
    const { text, where } = given.value;
    const read = text === '' ? ok(variable.fallback) : variable.read(text);
    if (!read.ok) return no(wrong(name, text, where, variable.secret === true, read.refusal));
    values[name] = read.value;
  }
  const config = assemble(values as Values);
  return config.ok ? ok({ config: config.value, warnings: warnings(env, path, file.value) }) : config;
}

/** Reads the value of a setting and its source. `where` is the end of a sentence. The text is empty without a value. */
function givenValue(
  name: Name,
  secret: boolean,
  env: Readonly<Record<string, string | undefined>>,
  file: { readonly path: string; readonly values: ReadonlyMap<string, string> },
  readFile: (path: string) => string,
): Result<{ readonly text: string; readonly where: string }, string> {
  const own = env[name] || '';
  const ownFile = secret ? env[`${name}${FILE_SUFFIX}`] || '' : '';
  if (own !== '' && ownFile !== '') return no(`${name} and ${name}${FILE_SUFFIX} are both set: set one of them.`);
  if (own !== '') return ok({ text: own, where: '' });
  if (ownFile === '') return ok({ text: file.values.get(name) ?? '', where: ` in ${file.path}` });
  try {
    return ok({ text: readFile(ownFile).trim(), where: ` in ${ownFile}` });
  } catch (fault) {
    return no(`${name}${FILE_SUFFIX} names ${ownFile}, which cannot be read: ${(fault as Error).message}.`);
  }
}

function wrong(name: Name, given: string, where: string, hidden: boolean, rule: string): string {
  const shown = hidden ? `has ${given.length} characters (not shown)` : `is ${JSON.stringify(given)}`;
  return `${name}${where} ${shown}, but ${rule}.`;
}

function assemble(given: Values): Result<Config, string> {
  const storage = storageOf(given);
  if (!storage.ok) return storage;
  const blobs = blobStorage(given);
  if (!blobs.ok) return blobs;
  const tls = tlsPaths(given);
  if (!tls.ok) return tls;
  if (given.ASSURANCE_PREVIOUS_SECRET !== null && given.ASSURANCE_SECRET === null) {
    return no('ASSURANCE_PREVIOUS_SECRET is set and ASSURANCE_SECRET is not: set the new one with it.');
  }
  const provider = openIdConnect(given);
  if (!provider.ok) return provider;
  return ok({
    port: given.ASSURANCE_PORT,
    host: given.ASSURANCE_HOST,
    operations: {
      host: given.ASSURANCE_OPERATIONS_HOST,
      // A process with a random API port, such as in a test, gets a random port here too.
      port: given.ASSURANCE_OPERATIONS_PORT ?? (given.ASSURANCE_PORT === 0 ? 0 : OPERATIONS_PORT),
    },
    publicUrl: given.ASSURANCE_PUBLIC_URL,
    region: given.ASSURANCE_REGION,
    storage: storage.value,
    blobs: blobs.value,
    tls: tls.value,
    bootstrapFile: given.ASSURANCE_BOOTSTRAP_FILE,
    secret: given.ASSURANCE_SECRET,
    previousSecret: given.ASSURANCE_PREVIOUS_SECRET,
    logLevel: given.ASSURANCE_LOG_LEVEL,
    services: {
      ingestion: given.ASSURANCE_INGESTION_URL,
      projection: given.ASSURANCE_PROJECTION_URL,
      'notification-dispatcher': given.ASSURANCE_NOTIFICATION_DISPATCHER_URL,
      'audit-package': given.ASSURANCE_AUDIT_PACKAGE_URL,
    },
    serviceSilenceMs: given.ASSURANCE_SERVICE_SILENCE_MS,
    notifying: {
      targetNetworks: given.ASSURANCE_TARGET_NETWORKS,
      smtp:
        given.ASSURANCE_SMTP_URL === null ? null : { url: given.ASSURANCE_SMTP_URL, from: given.ASSURANCE_SMTP_FROM },
      slack: { apiUrl: given.ASSURANCE_SLACK_API_URL, token: given.ASSURANCE_SLACK_TOKEN },
      keepDays: given.ASSURANCE_KEEP_DELIVERIES_DAYS,
    },
    trustedProxies: given.ASSURANCE_TRUSTED_PROXIES,
    reachedAt: given.ASSURANCE_REACHED_AT,
    pagesFolder: given.ASSURANCE_PAGES_DIR,
    sessions: {
      idleMs: given.ASSURANCE_SESSION_IDLE_MINUTES * 60_000,
      longestMs: given.ASSURANCE_SESSION_HOURS * 3_600_000,
    },
    openIdConnect: provider.value,
    assistantsWrite: given.ASSURANCE_MCP_TOOLS === 'write',
    organizations: { by: given.ASSURANCE_ORGANIZATIONS_BY, perUser: given.ASSURANCE_MAX_ORGANIZATIONS_PER_USER },
    limits: limitsOf(given),
  });
}

function limitsOf(given: Values): Limits {
  return {
    bodyBytes: given.ASSURANCE_MAX_BODY_BYTES,
    artifactsPerReport: given.ASSURANCE_MAX_ARTIFACTS_PER_REPORT,
    attachmentBytes: given.ASSURANCE_MAX_ATTACHMENT_BYTES,
    requestsAtOnce: given.ASSURANCE_MAX_REQUESTS_AT_ONCE,
    bodyBytesAtOnce: given.ASSURANCE_MAX_BODY_BYTES_AT_ONCE,
    perMinute: {
      key: given.ASSURANCE_MAX_REQUESTS_PER_MINUTE_PER_KEY,
      organization: given.ASSURANCE_MAX_REQUESTS_PER_MINUTE,
    },
    wrongKeysPerMinute: given.ASSURANCE_MAX_WRONG_KEYS_PER_MINUTE,
    storedBytes: {
      events: given.ASSURANCE_MAX_EVENT_BYTES_PER_ORGANIZATION,
      attachments: given.ASSURANCE_MAX_ATTACHMENT_BYTES_PER_ORGANIZATION,
    },
    perOrganization: {
      environments: given.ASSURANCE_MAX_ENVIRONMENTS,
      flows: given.ASSURANCE_MAX_FLOWS,
      repositories: given.ASSURANCE_MAX_REPOSITORIES,
      controls: given.ASSURANCE_MAX_CONTROLS,
      spaces: given.ASSURANCE_MAX_SPACES,
      attestationTypes: given.ASSURANCE_MAX_ATTESTATION_TYPES,
      policies: given.ASSURANCE_MAX_POLICIES,
    },
  };
}

function storageOf(given: Values): Result<Storage, string> {
  const { MONGODB_URL: mongo, KAFKA_BROKERS: kafka } = given;
  if (mongo === null && kafka === null) {
    return given.ASSURANCE_CLOUDEVENTS_TOPIC === null
      ? ok({ kind: 'embedded', folder: given.ASSURANCE_DATA_DIR })
      : no(
          'ASSURANCE_CLOUDEVENTS_TOPIC is set, but the embedded engine has no Kafka to publish events on: ' +
            'set MONGODB_URL and KAFKA_BROKERS too, or leave it out.',
        );
  }
  if (kafka === null) return no(alone('MONGODB_URL', 'KAFKA_BROKERS'));
  if (mongo === null) return no(alone('KAFKA_BROKERS', 'MONGODB_URL'));
  if (given.ASSURANCE_SECRET === null) {
    return no(
      'ASSURANCE_SECRET is not set, but with MONGODB_URL and KAFKA_BROKERS it must be, the same on all services.',
    );
  }
  const { url: mongodbUrl, database } = mongo;
  const security = kafkaSecurity(given);
  if (!security.ok) return security;
  return ok({
    kind: 'scaled',
    mongodbUrl,
    database,
    kafkaBrokers: kafka,
    kafkaPrefix: given.ASSURANCE_KAFKA_PREFIX,
    kafkaSecurity: security.value,
    cloudEventsTopic: given.ASSURANCE_CLOUDEVENTS_TOPIC,
  });
}

function alone(set: Name, missing: Name): string {
  return `${set} is set and ${missing} is not: set both for the scaled engines, or neither for the embedded one.`;
}

function warnings(env: Readonly<Record<string, string | undefined>>, path: string, file: ReadonlyMap<string, string>) {
  const known = (name: string) => name in VARIABLES;
  const variables: [string, Variable<unknown>][] = Object.entries(VARIABLES);
  const secrets = new Set(variables.filter(([, { secret }]) => secret).map(([name]) => `${name}${FILE_SUFFIX}`));
  const ours = Object.keys(env).filter(
    (name) => name.startsWith('ASSURANCE_') && name !== CONFIG_FILE && !known(name) && !secrets.has(name),
  );
  const others = [...file.keys()].filter((name) => !known(name));
  return [
    ...ours.map((name) => `${name} is not a setting of this version and has no effect.`),
    ...others.map((name) => `${name} in ${path} is not a setting of this version and has no effect.`),
  ];
}
