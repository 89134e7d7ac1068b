import { lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import { getOrInsert, NO_PROXIES, type Proxies, proxyFor } from '@assurance/kernel';
import type { Dispatcher } from 'undici';
import type { AddressRule } from './addresses';
import { checkProxiedName, addressForbidden, guardedLookup, type Resolve } from './guard';

/**
 * Makes connections to addresses that people chose. It resolves a name once and connects to the address that it checked, so that a changed name
 * cannot lead to another address. A proxy resolves names itself, after a check of the name here.
 */
export class OutgoingConnections {
  /** By the URL of the proxy; null: direct. */
  private readonly agents = new Map<string | null, Promise<Dispatcher>>();

  /** @param timeoutMs for connecting, for the headers of an answer, and between two pieces of its body */
  constructor(
    private readonly allowed: AddressRule,
    private readonly timeoutMs: number,
    private readonly resolve: Resolve = systemLookup,
    private readonly proxies: Proxies = NO_PROXIES,
  ) {}

  /** The URL of the proxy through which a target is reached, null for none. */
  proxyOf({ protocol, hostname, port }: URL): string | null {
    return proxyFor(this.proxies, { protocol, hostname, port });
  }

  /**
   * The dispatcher that sends requests to a target.
   *
   * @throws AddressForbidden
   */
  async agentFor(target: URL): Promise<Dispatcher> {
    const proxy = this.proxyOf(target);
    // An address is checked here, because it needs no look-up.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !this.allowed(literal)) throw addressForbidden(literal);
    if (isIP(literal) === 0 && proxy !== null) await checkProxiedName(literal, this.allowed, this.resolve);
    return getOrInsert(this.agents, proxy, () => this.open(proxy));
  }

  async close(): Promise<void> {
    for (const agent of this.agents.values()) await (await agent).destroy();
  }

  private async open(proxy: string | null): Promise<Dispatcher> {
    // Loaded only here: it takes 8 MB, and a process that sends nothing does not need it.
    const { Agent, ProxyAgent } = await import('undici');
    const timeout = this.timeoutMs;
    const limits = { headersTimeout: timeout, bodyTimeout: timeout, maxHeaderSize: 16_384, keepAliveTimeout: 5_000 };
    if (proxy === null) {
      return new Agent({
        ...limits,
        pipelining: 1,
        connect: { lookup: guardedLookup(this.allowed, this.resolve), timeout },
      });
    }
    // As proxies expect it: https through a tunnel, http as a request with the whole address.
    return new ProxyAgent({ ...limits, proxyTls: { timeout }, uri: proxy, proxyTunnel: false });
  }
}

/** The cause of an error that only says that connecting failed. */
export function causeOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error instanceof Error && error.cause !== undefined && !('code' in error) ? causeOf(error.cause) : error;
}
