import { isIPv6 } from 'node:net';
import { forgetOldest } from '@assurance/kernel';

/** The networks of the newest addresses. Every request asks several times, and few callers send most requests. */
const networks = new Map<string, string>();
const NETWORKS_MAX = 10_000;
/** Longer texts are no addresses. */
const ADDRESS_MAX = 64;

/** The network by which requests are counted: an IPv4 address, or the /64 network of an IPv6 address, because a host usually has a whole one. */
export function networkOf(address: string): string {
  const cachedNetwork = networks.get(address);
  if (cachedNetwork !== undefined) return cachedNetwork;
  const network = parseNetwork(address);
  if (address.length > ADDRESS_MAX) return network;
  networks.set(address, network);
  forgetOldest(networks, NETWORKS_MAX);
  return network;
}

function parseNetwork(address: string): string {
  const [plainAddress = ''] = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').split('%', 1);
  if (!isIPv6(plainAddress)) return plainAddress;
  const [head = '', tail] = plainAddress.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}
