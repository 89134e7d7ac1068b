import { parse, parseCIDR } from 'ipaddr.js';

/** Whether an address may be connected to. */
export type AddressRule = (address: string) => boolean;

/**
 * Allows public addresses and the addresses of the given networks. It allows no other loopback, private, link-local, metadata or special
 * addresses, also if they are written as an IPv6 address.
 *
 * @param networks in CIDR notation
 */
export function addressRule(networks: readonly string[]): AddressRule {
  const ranges = networks.map((network) => parseCIDR(network));
  return (text) => {
    const address = parsePlain(text);
    if (address === null) return false;
    const inside = ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    );
    return inside || isPublic(address);
  };
}

/**
 * The IPv6 addresses that are assigned to the public internet. Only these are public, except forms of an IPv4 address among them. Outside of
 * this range are `::127.0.0.1` and every prefix that a network itself translates to IPv4, such as 64:ff9b:1::/48.
 */
const ASSIGNED = parseCIDR('2000::/3');

/** The wire server of Azure, which gives machines their credentials and certificates: a public address that is inside. */
const AZURE_WIRE_SERVER = '168.63.129.16';

function isPublic(address: NonNullable<ReturnType<typeof parsePlain>>): boolean {
  if (address.range() !== 'unicast' || address.toString() === AZURE_WIRE_SERVER) return false;
  return address.kind() === 'ipv4' || address.match(ASSIGNED[0] as never, ASSIGNED[1]);
}

function parsePlain(text: string) {
  try {
    const address = parse(text);
    return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
  } catch {
    return null;
  }
}
