import type { CollectionDefinition } from '@assurance/storage-ports';

/** How far all gateways together may exceed a limit, as a fraction of it. */
const SLACK = 0.2;
/** A limit is divided among at least this number of gateways, because others may start. */
const GATEWAYS_LEAST = 4;

/** How many requests of one key or organization each gateway has been granted for one minute. */
export interface MinuteGrants {
  /** The minute, counted since 1970. */
  readonly minute: number;
  readonly gateways: Readonly<Record<string, number>>;
}

/**
 * One document for each key or organization that used more than a gateway's own share. The next minute overwrites it.
 */
export const grants: CollectionDefinition<MinuteGrants> = { name: 'rate_grants', indexes: [] };

/** The minute in which each gateway last counted requests. One document. */
export type GatewaysAtWork = Readonly<Record<string, number>>;

export const gatewaysAtWork: CollectionDefinition<GatewaysAtWork> = { name: 'rate_gateways', indexes: [] };

/**
 * How many requests a gateway accepts without a message to the others. They are so few that the sum over all gateways
 * stays within the tolerance.
 */
export function ownShare(limit: number, gateways: number): number {
  return Math.floor((limit * SLACK) / Math.max(gateways, GATEWAYS_LEAST));
}

/** The request of a gateway for a larger grant for one key or organization. */
export interface GrantRequest {
  readonly gateway: string;
  readonly minute: number;
  readonly limit: number;
  /** Requests that it has accepted. */
  readonly used: number;
  /** How many requests it may accept until it gets an answer, `used` included. It is granted at least this. */
  readonly reserved: number;
  /** It needs no more for now. */
  readonly done: boolean;
}

/**
 * Grants a gateway the requests that it used and half of the unassigned ones; all of them if no other gateway counts this key. The grants
 * never exceed the limit, except for requests that a gateway accepted from its own share before it asked.
 *
 * @returns undefined if other gateways are in the next minute already, because this gateway's clock is behind
 */
export function grant(
  current: MinuteGrants | null,
  { gateway, minute, limit, used, reserved, done }: GrantRequest,
): MinuteGrants | undefined {
  if (current !== null && current.minute === minute + 1) return undefined;
  const { [gateway]: _own, ...others } = current?.minute === minute ? current.gateways : {};
  const free = Math.max(0, limit - sumOf(others) - used);
  const share = Object.keys(others).length === 0 ? free : Math.ceil(free / 2);
  return { minute, gateways: { ...others, [gateway]: Math.max(reserved, done ? used : used + share) } };
}

/** The grants of the other gateways. */
export function grantedToOthers({ gateways }: MinuteGrants, gateway: string): number {
  return sumOf(gateways) - (gateways[gateway] ?? 0);
}

function sumOf(granted: MinuteGrants['gateways']): number {
  return Object.values(granted).reduce((sum, value) => sum + value, 0);
}

/** Records that a gateway is at work, and forgets gateways that were not for a minute. */
export function withGatewayAtWork(current: GatewaysAtWork | null, gateway: string, minute: number): GatewaysAtWork {
  const otherGateways = Object.entries(current ?? {}).filter(
    ([id, last]) => id !== gateway && Math.abs(minute - last) <= 1,
  );
  return { ...Object.fromEntries(otherGateways), [gateway]: minute };
}
