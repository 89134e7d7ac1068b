import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { socketAddress } from '../../signed-identity';
import type { Instance } from './instances';

/** How long a resolved address is used before the name is resolved again (milliseconds). */
const CACHED_MS = 5_000;

/** Every address of a name, as the system resolves it. */
export type Lookup = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const systemLookup: Lookup = (name) => lookup(name, { all: true });

/**
 * The instances behind the origins of one role. A name with several addresses, such as the name of a headless Kubernetes service, counts as that many
 * instances. Names are looked up again while they are used; a look-up that fails changes nothing.
 */
export class Addresses {
  private readonly byOrigin = new Map<string, readonly Instance[]>();
  private all: readonly Instance[];
  private lookedUp = -Infinity;
  private pendingLookup: Promise<void> | null = null;

  constructor(
    private readonly origins: readonly string[],
    /** A steady clock, in milliseconds. */
    private readonly steady: () => number,
    private readonly resolve: Lookup = systemLookup,
  ) {
    this.all = origins.map(unresolvedInstance);
  }

  /** The instances that are known now. If they are old or one has no address, a look-up begins. */
  instances(): readonly Instance[] {
    const isLost = this.all.some(({ reachedAt }) => reachedAt.length === 0);
    if (isLost || this.steady() - this.lookedUp >= CACHED_MS) void this.refresh();
    return this.all;
  }

  /** Looks every name up. It never rejects. */
  refresh(): Promise<void> {
    return (this.pendingLookup ??= this.lookUp().finally(() => (this.pendingLookup = null)));
  }

  private async lookUp(): Promise<void> {
    await Promise.all(
      this.origins.map(async (origin) => {
        const hostname = hostOf(new URL(origin));
        if (isIP(hostname) !== 0) return;
        const addresses = await this.resolve(hostname).catch(() => []);
        if (addresses.length > 0) this.byOrigin.set(origin, instancesOf(origin, addresses));
      }),
    );
    this.lookedUp = this.steady();
    this.all = this.origins.flatMap((origin) => this.byOrigin.get(origin) ?? [unresolvedInstance(origin)]);
  }
}

/** An IPv4 and an IPv6 address may belong to one instance, so only several addresses of one family are several instances. */
function instancesOf(origin: string, addresses: Awaited<ReturnType<Lookup>>): readonly Instance[] {
  const of = (family: number) => addresses.filter((address) => address.family === family).map(({ address }) => address);
  const [v4, v6] = [of(4), of(6)];
  const longerList = v4.length >= v6.length ? v4 : v6;
  const originUrl = new URL(origin);
  const { host } = originUrl;
  const reachedAt = addresses.map(({ address }) => socketAddress(address, portOf(originUrl)));
  if (longerList.length <= 1) return [{ origin, reachedAt }];
  return [...new Set(longerList)].sort().map((address) => {
    const url = new URL(origin);
    url.hostname = isIP(address) === 6 ? `[${address}]` : address;
    return { origin: url.origin, host, reachedAt: [socketAddress(address, portOf(originUrl))] };
  });
}

/** The addresses of an origin before the first lookup: the address itself if the origin contains one. */
function unresolvedInstance(origin: string): Instance {
  const url = new URL(origin);
  const address = hostOf(url);
  return { origin, reachedAt: isIP(address) === 0 ? [] : [socketAddress(address, portOf(url))] };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}
