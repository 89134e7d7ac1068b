import type { Clock, Limits, Logger } from '@assurance/event-sourcing/tokens';
import { endsWithin, pieces } from '@assurance/kernel';
import type { Collection, Documents } from '@assurance/storage-ports';
import type { Identity } from '../../identity';
import type { Rate, RateLimiter } from '../../rate';
import { Counts, MINUTE_MS, type CountParameters } from './counts';
import {
  grant,
  type MinuteGrants,
  type GrantRequest,
  grants,
  type GatewaysAtWork,
  gatewaysAtWork,
  withGatewayAtWork,
} from './grants';

/** How often this gateway reports its counts to the others. */
const TELL_MS = 1_000;
/** How long a request waits for a grant. */
const GRANT_WAIT_MS = 1_000;
/** The most documents that are changed in one call. */
const AT_ONCE = 1_000;

export interface RatesOptions {
  readonly limits: Limits['perMinute'];
  readonly documents: Pick<Documents, 'collection'>;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Names this gateway among others. */
  readonly gateway: string;
}

/** A count that a request belongs to: the count of a key, or of an organization. */
interface RequestCount {
  readonly counts: Counts;
  readonly id: string;
}

/**
 * Limits the requests of each key and each organization in a minute of the clock, over all gateways. A gateway counts alone while a count
 * is far from its limit. Beyond that it accepts the requests that it was granted and asks for more once a second. If no gateway answers,
 * it accepts its part of the limit. Nothing is written without requests.
 */
export class Rates implements RateLimiter {
  private readonly keys: Counts | null;
  private readonly organizations: Counts | null;
  private readonly grantCollection: Collection<MinuteGrants>;
  private readonly gatewayDocuments: Collection<GatewaysAtWork>;
  private readonly timer: NodeJS.Timeout;
  /** The current minute; null before the first request. */
  private minute: number | null = null;
  /** The minute of the last message to other gateways that this one counts requests. */
  private announcedMinute: number | null = null;
  private gateways = 1;
  private isCutOff = false;
  /** Requests for grants in progress, by key. A second need of the same grant waits for the same request. */
  private readonly pendingGrants = new Map<string, Promise<void>>();

  constructor(private readonly options: RatesOptions) {
    const { limits, documents } = options;
    const counts = (limit: number) => (limit === 0 ? null : new Counts(limit));
    [this.keys, this.organizations] = [counts(limits.key), counts(limits.organization)];
    this.grantCollection = documents.collection<MinuteGrants>(grants);
    this.gatewayDocuments = documents.collection<GatewaysAtWork>(gatewaysAtWork);
    this.timer = setInterval(() => void this.publishCounts(), TELL_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  take({ key, session, org }: Identity): Rate | Promise<Rate> | null {
    const places: RequestCount[] = [];
    const caller = key ?? session?.principal;
    if (this.keys !== null && caller !== undefined) places.push({ counts: this.keys, id: `key ${caller}` });
    if (this.organizations !== null) places.push({ counts: this.organizations, id: `organization ${org.id}` });
    if (places.length === 0) return null;
    const full = this.count(places);
    return full === null ? this.rateOf(places) : this.afterAsking(places, full);
  }

  /** Reports the counts since the last report to the other gateways. */
  async publishCounts(): Promise<void> {
    const { minute } = this;
    if (minute === null) return;
    const terms = this.parametersOf(minute);
    for (const counts of [this.keys, this.organizations]) {
      if (counts === null) continue;
      const asks = counts.grantRequests(terms, this.options.clock.steady(), (id) => this.pendingGrants.has(id));
      await this.ask(counts, asks, minute);
    }
  }

  /** Counts a request against all of its limits, or against none. @returns the limit that is used up */
  private count(places: readonly RequestCount[]): RequestCount | null {
    const minute = Math.floor(this.options.clock.now() / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.keys?.clear();
      this.organizations?.clear();
    }
    const terms = this.parametersOf(minute);
    for (const [i, place] of places.entries()) {
      if (place.counts.take(place.id, terms)) continue;
      for (const { counts, id } of places.slice(0, i)) counts.release(id);
      return place;
    }
    return null;
  }

  /** This gateway has nothing left, but others may have some. */
  private async afterAsking(places: readonly RequestCount[], full: RequestCount): Promise<Rate> {
    // It asks once for each place, because one may be granted and the next refused.
    for (let [next, tries] = [full as RequestCount | null, places.length + 1]; next !== null; tries -= 1) {
      full = next;
      const grant = tries === 0 ? null : this.requestGrant(full);
      if (grant === null || !(await endsWithin(GRANT_WAIT_MS, grant))) break;
      next = this.count(places);
      if (next === null) return this.rateOf(places);
    }
    return full.counts.rate(full.id, false, this.options.clock.now());
  }

  /** @returns null when the others were asked within this second */
  private requestGrant({ counts, id }: RequestCount): Promise<void> | null {
    const pendingGrant = this.pendingGrants.get(id);
    if (pendingGrant !== undefined || this.minute === null) return pendingGrant ?? null;
    const grantRequest = counts.grantRequestFor(id, this.parametersOf(this.minute), this.options.clock.steady());
    return grantRequest === null ? null : this.ask(counts, new Map([[id, grantRequest]]), this.minute);
  }

  private ask(counts: Counts, requests: ReadonlyMap<string, GrantRequest>, minute: number): Promise<void> {
    const ids = [...requests.keys()];
    const pendingExchange = this.exchange(counts, requests, minute).finally(() =>
      ids.forEach((id) => this.pendingGrants.delete(id)),
    );
    for (const id of ids) this.pendingGrants.set(id, pendingExchange);
    return pendingExchange;
  }

  private async exchange(counts: Counts, requests: ReadonlyMap<string, GrantRequest>, minute: number): Promise<void> {
    try {
      if (this.announcedMinute !== minute) await this.announce(minute);
      for (const group of pieces([...requests], AT_ONCE)) await this.requestGrants(counts, new Map(group), minute);
      this.isCutOff = false;
    } catch (err) {
      if (!this.isCutOff) {
        const why = 'other gateways are unreachable: this gateway uses its own share of the rate limits';
        this.options.logger.warn({ err }, why);
      }
      this.isCutOff = true;
    }
  }

  private async requestGrants(
    counts: Counts,
    requests: ReadonlyMap<string, GrantRequest>,
    minute: number,
  ): Promise<void> {
    const grantsById = new Map<string, MinuteGrants>();
    await this.grantCollection.merge([...requests.keys()], (current, id) => {
      const candidate = requests.get(id);
      const next = candidate === undefined ? undefined : grant(current, candidate);
      if (next === undefined) grantsById.delete(id);
      else grantsById.set(id, next);
      return next;
    });
    // A grant is valid only for its minute.
    if (this.minute !== minute) return;
    for (const [id, next] of grantsById) counts.storeGrants(id, this.options.gateway, next);
  }

  /** Runs once in each minute with requests. */
  private async announce(minute: number): Promise<void> {
    let seenGateways: GatewaysAtWork = {};
    await this.gatewayDocuments.merge(
      ['all'],
      (current) => (seenGateways = withGatewayAtWork(current, this.options.gateway, minute)),
    );
    this.gateways = Object.keys(seenGateways).length;
    this.announcedMinute = minute;
  }

  /** The rate with the fewest remaining requests. */
  private rateOf(places: readonly RequestCount[]): Rate {
    const now = this.options.clock.now();
    const rates = places.map(({ counts, id }) => counts.rate(id, true, now));
    return rates.reduce((least, rate) => (rate.remaining < least.remaining ? rate : least));
  }

  private parametersOf(minute: number): CountParameters {
    return { minute, gateway: this.options.gateway, gateways: this.gateways, cutOff: this.isCutOff };
  }
}
