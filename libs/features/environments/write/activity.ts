import type { Environment, ReportTimes } from '@assurance/contracts/environments/documents';
import type { Documents, Part } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { type ReportsSoFar, reportsSoFar } from '../domain/observed';
import { ACTIVITY_THROTTLE_MS, type EnvironmentActivity, environmentActivity, notedTimes } from '../domain/reports';

const REMEMBERED = 100_000;

/** The newest report of an environment that this process took. */
interface Noted {
  readonly last: ReportTimes;
  /** The observed time that the document names. */
  readonly written: number;
}

/** An environment as its activity needs it. */
type Reported = Pick<Environment, 'id' | 'reported' | 'revivals'>;

/**
 * When environments were last reported: state that is no event. Reports that made a snapshot are also known from their event, so what a killed process
 * loses only makes the last report seem earlier. Only the first report of an environment may be known from nothing else: it is persisted.
 */
@Injectable()
export class Activity {
  private readonly noted = new Map<string, Noted>();

  constructor(private readonly documents: Pick<Documents, 'collection' | 'persist'>) {}

  /** The newest reports of an environment, by whatever process; up to half a minute early where other processes take some of them. */
  async reports(environment: Reported): Promise<ReportsSoFar> {
    const stored = await this.documents.collection(environmentActivity).get(environment.id);
    const noted = stored === null ? null : notedTimes(stored);
    return reportsSoFar(environment, noted, this.noted.get(environment.id)?.last);
  }

  /** Notes a report that changed nothing. */
  async unchanged(environment: Reported, observedAt: number, receivedAt: number): Promise<void> {
    const { id, reported, revivals = 0 } = environment;
    const isKnown = reported?.revivals === revivals || this.noted.get(id)?.last.revivals === revivals;
    const { parts, noted } = this.noting(environment, observedAt, receivedAt);
    for (const { collection, writes } of parts) await this.documents.collection(collection).write(writes);
    if (!isKnown) await this.documents.persist();
    this.remember(id, noted);
  }

  /** The writes that note a report with its commit. Empty if one of the same half minute was noted. */
  reported(environment: Reported, observedAt: number, receivedAt: number): Part[] {
    const { parts, noted } = this.noting(environment, observedAt, receivedAt);
    this.remember(environment.id, noted);
    return parts;
  }

  private noting({ id, revivals = 0 }: Reported, observedAt: number, receivedAt: number) {
    const before = this.noted.get(id);
    const last = { observedAt, receivedAt, revivals };
    // A time that lies ahead was noted before the clock was set back.
    const isNoted = before?.last.revivals === revivals && Math.abs(observedAt - before.written) < ACTIVITY_THROTTLE_MS;
    if (isNoted) return { parts: [], noted: { last, written: before.written } };
    const doc: EnvironmentActivity = { lastReportedAt: observedAt, receivedAt, revivals };
    const parts: Part[] = [{ collection: environmentActivity, writes: [{ kind: 'put', id, doc }] }];
    return { parts, noted: { last, written: observedAt } };
  }

  private remember(id: string, noted: Noted): void {
    if (this.noted.size >= REMEMBERED && !this.noted.has(id)) this.noted.clear();
    this.noted.set(id, noted);
  }
}
