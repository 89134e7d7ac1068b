import type { EnvironmentType } from '@assurance/contracts/environments/events';
import { forgetOldest } from '@assurance/kernel';
import type { RunsDigests } from '../domain/runs';

/** Digests of the content of a report. Only those that were needed are set. */
export type Meaning = Readonly<Partial<RunsDigests>>;

/** Caches the digests of report bodies, which depend only on the kind of report and the bytes and so never become outdated. */
export class Meanings {
  private readonly known = new Map<string, Meaning>();

  /** @param most how many are remembered: those that were used last */
  constructor(private readonly most = 20_000) {}

  /** @param body SHA-256 of its bytes */
  of(type: EnvironmentType, body: string): Meaning | undefined {
    const key = `${type} ${body}`;
    const meaning = this.known.get(key);
    if (meaning !== undefined) this.put(key, meaning);
    return meaning;
  }

  /** @param body SHA-256 of its bytes, which were accepted as a report of this kind */
  remember(type: EnvironmentType, body: string, meaning: Meaning): void {
    const key = `${type} ${body}`;
    this.put(key, { ...this.known.get(key), ...meaning });
    forgetOldest(this.known, this.most);
  }

  private put(key: string, meaning: Meaning): void {
    // A Map keeps the order of insertion.
    this.known.delete(key);
    this.known.set(key, meaning);
  }
}
