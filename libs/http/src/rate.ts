import type { Identity } from './identity';

/** The remaining requests of a caller in this minute, and whether this request is accepted. */
export interface Rate {
  readonly allowed: boolean;
  /** Requests in a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next minute begins. */
  readonly reset: number;
  /** Seconds until another try may succeed. */
  readonly retryAfter: number;
}

/** Counts requests of identified callers. */
export interface RateLimiter {
  /** Counts one request; null if nothing is limited. */
  take(identity: Identity): Rate | Promise<Rate> | null;
  stop(): void;
}

/** The headers of an answer about the caller's rate. */
export function rateHeaders({ limit, remaining, reset }: Rate): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  };
}
