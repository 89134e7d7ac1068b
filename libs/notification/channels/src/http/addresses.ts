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
    return inside || address.range() === 'unicast';
  };
}

function plain(text: string) {
  try {
    const address = parse(text);
    return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  } catch {
    return null;
  }
}
