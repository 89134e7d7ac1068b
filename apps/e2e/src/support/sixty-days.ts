import type { ObservedReport } from './deployment-history';
import { digest, sha1 } from './samples';

const DAY = 86_400;
const HOUR = 3_600;

/** A version of a service, as it was built. */
export interface BuiltVersion {
  readonly fingerprint: string;
  readonly name: string;
  /** Null for artifacts of others. */
  readonly service: string | null;
  readonly sha: string;
  /** Epoch seconds. */
  readonly committed: number;
  /** Whether its provenance arrives after all reports. */
  readonly isLate: boolean;
}

/** A cluster, what runs in it, and what its reporter saw. */
class Cluster {
  readonly reports: ObservedReport[] = [];
  private readonly running = new Map<string, { readonly name: string; created: number[] }>();

  /** @param skew how far the clock of its hosts is ahead (seconds) */
  constructor(private readonly skew: number) {}

  start({ fingerprint, name }: BuiltVersion, at: number, pods = 1): void {
    this.running.set(fingerprint, { name, created: Array.from({ length: pods }, (_, i) => at + this.skew + i) });
  }

  stop({ fingerprint }: BuiltVersion): void {
    this.running.delete(fingerprint);
  }

  look(at: number): void {
    this.reports.push({
      at,
      runs: new Map([...this.running].map(([key, { name, created }]) => [key, { name, created }])),
    });
  }

  /** All pods end, a report shows none, and all start again. */
  restart(at: number, minutes: number, only?: BuiltVersion): void {
    const all = [...this.running].filter(([fingerprint]) => only === undefined || only.fingerprint === fingerprint);
    for (const [fingerprint] of all) this.running.delete(fingerprint);
    this.look(at + 60);
    for (const [fingerprint, { name }] of all) {
      this.running.set(fingerprint, { name, created: [at + minutes * 60 + this.skew] });
    }
    this.look(at + minutes * 60 + 60);
  }

  /** New pods come while old ones run, and the reporter sees both. */
  roll(before: BuiltVersion, after: BuiltVersion, at: number): void {
    this.start(after, at);
    this.look(at + 60);
    this.stop(before);
    this.start(after, at, 3);
    this.look(at + 120);
  }

  /** One goes and the other comes between two reports. */
  exchange(before: BuiltVersion, after: BuiltVersion, at: number): void {
    this.stop(before);
    this.start(after, at);
    this.look(at + 90);
  }
}

/** What happened in an organization in 60 days. */
export interface Story {
  readonly built: readonly BuiltVersion[];
  readonly reports: Readonly<Record<string, readonly ObservedReport[]>>;
}

/**
 * Rolling updates, rescheduled pods, a job that runs every second day, scaling to zero, three rollbacks, hosts whose clocks are five minutes ahead and
 * behind, and provenance that comes late.
 *
 * @param begin epoch seconds
 * @param prefix of fingerprints and names, so that stories do not meet
 */
export function sixtyDays(begin: number, prefix: string): Story {
  const built: BuiltVersion[] = [];
  const build = (service: string, version: number, committed: number, existing = true): BuiltVersion => {
    const fingerprint = digest(`${prefix} ${service} ${version}`);
    const name = `ghcr.io/${prefix}/${service}:${version}`;
    const isLate = version % 3 === 2;
    const own = { fingerprint, name, service: existing ? service : null, sha: sha1(fingerprint), committed, isLate };
    built.push(own);
    return own;
  };
  const [production, staging] = [new Cluster(300), new Cluster(-300)];
  const at = (day: number, hour: number) => begin + day * DAY + hour * HOUR;
  // All ran for long when reporting began.
  let [web, api, job] = [1, 1, 1].map((version, i) =>
    build(['web', 'api', 'job'][i] ?? '', version, at(-30 * (i + 1), 3)),
  ) as [BuiltVersion, BuiltVersion, BuiltVersion];
  const cache = build('cache', 7, 0, false);
  for (const cluster of [production, staging]) {
    for (const service of [web, api, cache]) cluster.start(service, at(-20, 0));
    cluster.look(at(0, 0));
  }
  for (let day = 1; day < 60; day += 1) {
    production.look(at(day, 1));
    if (day % 2 === 0) {
      production.start(job, at(day, 2));
      production.look(at(day, 2) + 300);
      production.stop(job);
      production.look(at(day, 2) + 900);
    }
    if (day % 20 === 19) job = build('job', day, at(day, 3));
    if (day % 7 === 3) production.restart(at(day, 4), 5, day % 2 === 0 ? web : api);
    if (day === 16 || day === 41) production.restart(at(day, 5), 45);
    if (day % 6 === 5) staging.restart(at(day, 5), 180);
    if (day % 5 === 1) {
      // Committed two minutes before: by the clock of the hosts of staging it started before that.
      const next = build('web', day + 1, at(day, 8) - 120);
      staging.exchange(web, next, at(day, 8));
      production.roll(web, next, at(day, 10));
      const before = web;
      web = next;
      if (day === 21 || day === 51) {
        // Back, and forward again after the weekend.
        production.roll(web, before, at(day, 12));
        production.exchange(before, web, at(day, 15));
      }
    }
    if (day % 8 === 4) {
      const next = build('api', day, at(day - 1, 8));
      staging.roll(api, next, at(day, 14));
      production.exchange(api, next, at(day, 16));
      if (day === 36) production.exchange(next, api, at(day, 20));
      else api = next;
      if (day === 36) {
        staging.look(at(day, 21));
        staging.exchange(next, api, at(day, 21) + 60);
      }
    }
  }
  return { built, reports: { production: production.reports, staging: staging.reports } };
}
