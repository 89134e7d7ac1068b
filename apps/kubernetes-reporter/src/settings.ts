import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from './pods';

/** Where Kubernetes puts what proves a pod to the API server. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The settings of a run. */
export interface Settings {
  /** Base URL of the service. */
  readonly url: string;
  readonly organization: string;
  readonly environment: string;
  readonly key: string;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly cluster: Cluster;
}

type Env = Readonly<Record<string, string | undefined>>;

/** @throws with one sentence that names the variable to set */
export function readSettings(env: Env): Settings {
  const needed = (name: string): string => {
    const value = env[name] ?? '';
    if (value === '') throw new Error(`${name} is not set.`);
    return value;
  };
  const account = env['REPORTER_SERVICE_ACCOUNT'] ?? ACCOUNT;
  const host = needed('KUBERNETES_SERVICE_HOST');
  return {
    url: needed('REPORTER_URL'),
    organization: needed('REPORTER_ORGANIZATION'),
    environment: needed('REPORTER_ENVIRONMENT'),
    key: needed('REPORTER_API_KEY'),
    namespaces: (env['REPORTER_NAMESPACES'] ?? '').split(',').filter((name) => name !== ''),
    cluster: {
      url: `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] ?? '443'}`,
      token: readFileSync(join(account, 'token'), 'utf8').trim(),
      ca: readFileSync(join(account, 'ca.crt'), 'utf8'),
    },
  };
}
