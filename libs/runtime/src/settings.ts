import type { Settings } from '@assurance/event-sourcing/tokens';
import type { Config } from './config';

/**
 * Makes the settings of roles from the configuration.
 *
 * @param address its port is read late: port 0 becomes a real port only when the process listens
 */
export function settingsOf(config: Config, address: { readonly port: number }): Settings {
  const { publicUrl, region, limits, notifying, trustedProxies, pagesFolder, tls } = config;
  const { sessions, openIdConnect, assistantsWrite, organizations, proxies, vulnerabilitySources } = config;
  return {
    get publicUrl() {
      return publicUrl ?? `${schemeOf(tls)}://localhost:${address.port}`;
    },
    region: region === 'none' ? null : region,
    limits,
    notifying,
    trustedProxies,
    pagesFolder,
    sessions,
    openIdConnect,
    assistantsWrite,
    organizations,
    proxies,
    vulnerabilitySources,
  };
}

/** The scheme of URLs to listeners with these certificates. */
export function schemeOf(tls: Config['tls']): 'http' | 'https' {
  return tls === null || tls.own === null ? 'http' : 'https';
}

/** The host name or address through which callers reach a process that listens on `host`. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
