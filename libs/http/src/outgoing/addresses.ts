import { parse, parseCIDR } from 'ipaddr.js';

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * Public addresses, and those of networks that are named: no loopback, private, link-local, metadata or other special ones, nor any of these
 * written as an IPv6 address.
 *
 * @param networks in CIDR notation
 */
export function addressRule(networks: readonly string[]): AddressRule {
  const named = networks.map((network) => parseCIDR(network));
  return (text) => {
    const address = plain(text);
    if (address === null) return false;
    const inside = named.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    );
    return inside || isPublic(address);
  };
}

/**
 * Of IPv6 nothing but what is assigned to the public internet (2000::/3), and of that no form of an IPv4 address: outside lie `::127.0.0.1`
 * and every prefix that a network translates to IPv4 by itself, such as 64:ff9b:1::/48.
 */
const ASSIGNED = parseCIDR('2000::/3');

function isPublic(address: NonNullable<ReturnType<typeof plain>>): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(ASSIGNED[0] as never, ASSIGNED[1]);
}

function plain(text: string) {
  try {
    const address = parse(text);
    return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  } catch {
    return null;
  }
}
