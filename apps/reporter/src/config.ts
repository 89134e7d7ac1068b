import { parse } from 'yaml';
import type { EcsFilters } from './ecs';
import { Fields } from './fields';
import type { NetworkSettings } from './http';
import type { NameFilter } from './name-filter';
import { type Containers, CONTAINERS, type Kind, KINDS } from './report';
import type { KeyFilter } from './s3';
import type { Paths } from './server';

interface Aws {
  readonly region: string | null;
  readonly profile: string | null;
  readonly endpoint: string | null;
}

/** The settings of one kind of source. */
export type SourceSettings =
  | { readonly kind: 'K8S'; readonly namespaces: NameFilter; readonly containers: Containers; readonly watch: boolean }
  | ({ readonly kind: 'ECS'; readonly aws: Aws } & EcsFilters)
  | { readonly kind: 'lambda'; readonly aws: Aws; readonly functions: NameFilter }
  | { readonly kind: 'S3'; readonly aws: Aws; readonly bucket: string; readonly keys: KeyFilter }
  | { readonly kind: 'docker'; readonly socket: string; readonly containers: NameFilter }
  | { readonly kind: 'server'; readonly paths: Paths }
  | {
      readonly kind: 'cloud-run';
      readonly project: string;
      readonly region: string;
      readonly names: NameFilter;
      readonly endpoint: string;
    }
  | {
      readonly kind: 'azure-apps';
      readonly subscription: string;
      readonly resourceGroup: string;
      readonly digestsSource: 'acr' | 'logs';
      readonly apps: NameFilter;
      readonly endpoint: string;
    };

export interface EnvironmentSettings {
  readonly environment: string;
  readonly organization: string;
  readonly apiKeyFile: string | null;
  readonly apiKeyVariable: string;
  readonly create: { readonly description: string } | null;
  readonly source: SourceSettings;
}

export interface AdmissionSettings {
  readonly host: string;
  readonly port: number;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  /** PEM file of the authority that signs the API server's certificate; null: whoever reaches the webhook may ask. */
  readonly clientCaFile: string | null;
  /** The common names that the API server's certificate may have; empty: any. */
  readonly clientNames: readonly string[];
  readonly organization: string;
  /** The environment with the policies that judge images. */
  readonly environment: string;
  readonly apiKeyFile: string | null;
  readonly apiKeyVariable: string;
  readonly timeoutMs: number;
  readonly namespaces: NameFilter;
  /** In these namespaces, pods may start while the service cannot judge them. */
  readonly failOpen: NameFilter;
  /** Whether pods start where nothing judges artifacts in the environment. */
  readonly allowUnjudged: boolean;
  /** How long it still takes reviews after it was asked to end. */
  readonly stopDelayMs: number;
}

export interface Config {
  readonly url: string;
  readonly network: NetworkSettings;
  /** Seconds between two reports; null: only one report. */
  readonly interval: number | null;
  /** For how many seconds one report is retried. */
  readonly retrySeconds: number;
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly metricsFile: string | null;
  readonly environments: readonly EnvironmentSettings[];
  readonly admission: AdmissionSettings | null;
}

/**
 * Reads the configuration from a YAML text.
 *
 * @throws with one sentence that names the field and says what to write
 */
export function readConfig(text: string): Config {
  const fields = Fields.of(parse(text) as unknown);
  const url = fields.url('url');
  const defaults = {
    organization: fields.optionalText('organization'),
    apiKeyFile: fields.optionalText('apiKeyFile'),
    apiKeyVariable: fields.optionalText('apiKeyVariable') ?? 'REPORTER_API_KEY',
    create: fields.flag('create', false),
  };
  const metrics = fields.object('metrics');
  const admission = fields.object('admission');
  const config: Config = {
    url,
    network: { proxy: fields.optionalUrl('proxy'), caFile: fields.optionalText('caFile') },
    interval: fields.whole('interval', 5, 86_400),
    retrySeconds: fields.whole('retrySeconds', 0, 3_600) ?? 120,
    metrics: metrics && {
      host: metrics.optionalText('host') ?? '127.0.0.1',
      port: metrics.whole('port', 0, 65_535) ?? 9464,
    },
    metricsFile: fields.optionalText('metricsFile'),
    environments:
      admission === null || fields.has('environments')
        ? fields.objects('environments').map((item) => environment(item, defaults))
        : [],
    admission: admission && admissionOf(admission, defaults),
  };
  metrics?.end();
  fields.end();
  const names = config.environments.map(({ organization, environment: name }) => `${organization}/${name}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Error(`environments has ${twice} twice: two lists of one environment would undo each other.`);
  return config;
}

interface Defaults {
  readonly organization: string | null;
  readonly apiKeyFile: string | null;
  readonly apiKeyVariable: string;
  readonly create: boolean;
}

function account(fields: Fields, defaults: Defaults) {
  const variable = fields.optionalText('apiKeyVariable');
  return {
    organization: fields.optionalText('organization') ?? defaults.organization ?? fields.text('organization'),
    apiKeyFile: fields.optionalText('apiKeyFile') ?? (variable === null ? defaults.apiKeyFile : null),
    apiKeyVariable: variable ?? defaults.apiKeyVariable,
  };
}

function environment(fields: Fields, defaults: Defaults): EnvironmentSettings {
  const description = fields.optionalText('description') ?? '';
  const settings: EnvironmentSettings = {
    environment: fields.text('environment'),
    ...account(fields, defaults),
    create: fields.flag('create', defaults.create) ? { description } : null,
    source: source(fields.oneOf<Kind>('kind', KINDS), fields),
  };
  fields.end();
  return settings;
}

function source(kind: Kind, fields: Fields): SourceSettings {
  switch (kind) {
    case 'K8S':
      return {
        kind,
        namespaces: fields.filter('namespaces'),
        containers: containers(fields),
        watch: fields.flag('watch', true),
      };
    case 'ECS':
      return {
        kind,
        aws: aws(fields),
        clusters: fields.filter('clusters'),
        services: fields.filter('services'),
        standaloneTasks: fields.flag('standaloneTasks', true),
        containers: containers(fields),
      };
    case 'lambda':
      return { kind, aws: aws(fields), functions: fields.filter('functions') };
    case 'S3':
      return { kind, aws: aws(fields), bucket: fields.text('bucket'), keys: fields.filter('keys') };
    case 'docker':
      return {
        kind,
        socket: fields.optionalText('socket') ?? '/var/run/docker.sock',
        containers: fields.filter('containers'),
      };
    case 'server':
      return { kind, paths: paths(fields) };
    case 'cloud-run': {
      const endpoint = fields.optionalUrl('endpoint') ?? 'https://run.googleapis.com';
      return {
        kind,
        project: fields.text('project'),
        region: fields.text('region'),
        names: fields.filter('names'),
        endpoint,
      };
    }
    case 'azure-apps':
      return {
        kind,
        subscription: fields.text('subscription'),
        resourceGroup: fields.text('resourceGroup'),
        digestsSource: fields.oneOf('digestsSource', ['acr', 'logs'], 'acr'),
        apps: fields.filter('apps'),
        endpoint: fields.optionalUrl('endpoint') ?? 'https://management.azure.com',
      };
  }
}

const containers = (fields: Fields): Containers => fields.oneOf('containers', CONTAINERS, 'running');

const aws = (fields: Fields): Aws => ({
  region: fields.optionalText('region'),
  profile: fields.optionalText('profile'),
  endpoint: fields.optionalUrl('endpoint'),
});

function paths(fields: Fields): Paths {
  const artifacts = fields.entries('artifacts').map(([name, inner]) => {
    const artifact = { name, path: inner.text('path'), exclude: inner.texts('exclude') };
    inner.end();
    return artifact;
  });
  const filter = { paths: fields.texts('paths'), exclude: fields.texts('exclude'), artifacts };
  if (filter.paths.length + artifacts.length === 0)
    throw new Error(`${fields.name('paths')} is missing: list paths, or name artifacts.`);
  return filter;
}

function admissionOf(fields: Fields, defaults: Defaults): AdmissionSettings {
  const settings: AdmissionSettings = {
    host: fields.optionalText('host') ?? '0.0.0.0',
    port: fields.whole('port', 0, 65_535) ?? 8443,
    tlsCertFile: fields.text('tlsCertFile'),
    tlsKeyFile: fields.text('tlsKeyFile'),
    clientCaFile: fields.optionalText('clientCaFile'),
    clientNames: fields.texts('clientNames'),
    ...account(fields, defaults),
    environment: fields.text('environment'),
    timeoutMs: (fields.whole('timeoutSeconds', 1, 30) ?? 5) * 1_000,
    namespaces: fields.filter('namespaces'),
    failOpen: fields.filter('failOpen'),
    allowUnjudged: fields.flag('allowUnjudged', false),
    stopDelayMs: (fields.whole('stopDelaySeconds', 0, 60) ?? 5) * 1_000,
  };
  fields.end();
  if (settings.clientNames.length > 0 && settings.clientCaFile === null)
    throw new Error(`${fields.name('clientNames')} needs ${fields.name('clientCaFile')}, whose certificates it names.`);
  return settings;
}
