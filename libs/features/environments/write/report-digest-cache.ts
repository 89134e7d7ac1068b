import type { EnvironmentType } from '@assurance/contracts/environments/events';
import { forgetOldest } from '@assurance/kernel';
import type { RunsDigests } from '../domain/runs';

/** Digests of the artifacts of a report. Only those that were computed are set. */
export type ReportDigests = Readonly<Partial<RunsDigests>>;

/** Caches the digests of report bodies, which depend only on the kind of report and the bytes and so never become outdated. */
export class ReportDigestCache {
  private readonly entries = new Map<string, ReportDigests>();

  /** @param limit how many bodies the cache holds: those that were used last */
  constructor(private readonly limit = 20_000) {}

  /** @param body SHA-256 of its bytes */
  of(type: EnvironmentType, body: string): ReportDigests | undefined {
    const key = `${type} ${body}`;
    const digests = this.entries.get(key);
    if (digests !== undefined) this.put(key, digests);
    return digests;
  }

  /** @param body SHA-256 of its bytes, which were accepted as a report of this kind */
  remember(type: EnvironmentType, body: string, digests: ReportDigests): void {
    const key = `${type} ${body}`;
    this.put(key, { ...this.entries.get(key), ...digests });
    forgetOldest(this.entries, this.limit);
  }

  private put(key: string, digests: ReportDigests): void {
    // A Map keeps the order of insertion, so the entry becomes the newest.
    this.entries.delete(key);
    this.entries.set(key, digests);
  }
}
