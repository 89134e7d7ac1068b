import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressRule } from './addresses';

/** How long this process tries to resolve a name that a proxy will resolve (milliseconds). */
const RESOLVE_MS = 2_000;

/** All addresses of a name, as `dns.lookup` gives them with `all`. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Connecting to the target's address is not allowed. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}

export function addressForbidden(address: string): AddressForbidden {
  return new AddressForbidden(`the address ${address} is not public, and not in ASSURANCE_TARGET_NETWORKS`);
}

/** Resolves a name for a connection. It gives addresses only if connecting to all of them is allowed. */
export function guardedLookup(isAllowed: AddressRule, resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true } as LookupAllOptions, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return done(error ?? new Error(`${host} has no address`), '', 4);
      const refusedAddress = addresses.find(({ address }) => !isAllowed(address));
      if (refusedAddress !== undefined) return done(addressForbidden(refusedAddress.address), '', 4);
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/**
 * Checks a name that a proxy will resolve. If this process can resolve it, all its addresses must be allowed. If it cannot, because only the
 * proxy reaches the internet, it must at least be a name of the public internet. Silence of a name server shows nothing: whoever controls the name
 * server of a name could answer late here and soon at the proxy.
 *
 * @throws AddressForbidden
 * @throws Error if the name server did not answer in time. A later attempt may succeed
 */
export async function checkProxiedName(host: string, isAllowed: AddressRule, resolve: Resolve): Promise<void> {
  const refusedAddress = (await addressesOf(host, resolve)).find((address) => address === null || !isAllowed(address));
  if (typeof refusedAddress === 'string') throw addressForbidden(refusedAddress);
  if (refusedAddress === null && isInside(host)) {
    throw new AddressForbidden(
      `${host} cannot be resolved here, and it is no name of the public internet: name it in NO_PROXY to reach it directly`,
    );
  }
}

/** The addresses of a name; `[null]` if this process finds none. @throws Error if the name server did not answer in time */
function addressesOf(host: string, resolve: Resolve): Promise<(string | null)[]> {
  return new Promise((done, fail) => {
    const timer = setTimeout(
      () => fail(new Error(`${host} was not resolved within ${RESOLVE_MS} ms, so its addresses are not checked`)),
      RESOLVE_MS,
    );
    resolve(host, { all: true }, (error, addresses) => {
      clearTimeout(timer);
      const results = error === null ? addresses.map(({ address }) => address) : [];
      done(results.length === 0 ? [null] : results);
    });
  });
}

/** Whether only private networks have a name (RFC 6761, 6762, 8375, and `internal`, which ICANN reserved), such as names of metadata services. */
function isInside(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return (
    !name.includes('.') || /\.(localhost|local|internal|intranet|lan|corp|home|home\.arpa|localdomain)$/.test(name)
  );
}
