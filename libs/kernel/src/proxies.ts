/** The proxies through which requests leave the installation. */
export interface Proxies {
  /** URL of the proxy for `http:` targets, with user and password if it needs them; null: they are reached directly. */
  readonly http: string | null;
  /** The same for `https:` targets. */
  readonly https: string | null;
  /** Targets that are reached directly: `*`, names (with all names below them), addresses, networks in CIDR notation; each may have a port. */
  readonly direct: readonly string[];
}

export const NO_PROXIES: Proxies = { http: null, https: null, direct: [] };

/** The addresses of this machine. They are reached directly if nothing else is configured. */
export const LOOPBACK: readonly string[] = ['localhost', '127.0.0.0/8', '::1'];

type Target = Readonly<Pick<URL, 'protocol' | 'hostname' | 'port'>>;

/**
 * The proxy through which a target is reached.
 *
 * @returns the URL of the proxy; null if the target is reached directly
 */
export function proxyFor({ http, https, direct }: Proxies, target: Target): string | null {
  const proxy = target.protocol === 'https:' ? https : http;
  return proxy === null || direct.some((entry) => isCovered(entry, target)) ? null : proxy;
}

function isCovered(entry: string, { protocol, hostname, port }: Target): boolean {
  if (entry === '*') return true;
  const [, bracketed, plain, own] = /^(?:\[(.+)\]|([^:]*)|.+?)(?::(\d+))?$/.exec(entry) ?? [];
  // An IPv6 address without brackets contains colons, so it has no port.
  const [name, entryPort] = bracketed !== undefined || plain !== undefined ? [bracketed ?? plain ?? '', own] : [entry];
  if (entryPort !== undefined && entryPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const [address = '', length] = name.split('/');
  const [network, bits] = [bitsOf(address), bitsOf(host)];
  if (network !== null && bits !== null) {
    return network.length === bits.length && bits.startsWith(network.slice(0, Number(length ?? network.length)));
  }
  const suffix = name.toLowerCase().replace(/^\*?\./, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

/** The bits of an IP address as a text of `0` and `1`; null for a name. */
function bitsOf(address: string): string | null {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1);
  if (parts !== undefined) return parts.map((part) => Number(part).toString(2).padStart(8, '0')).join('');
  if (!address.includes(':') || !/^[0-9a-f:]+$/i.test(address)) return null;
  const [before = [], after] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...(after ?? [])]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
}
