import type { Environment, ReportTimes } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import type { Decision } from '@assurance/kernel';
import type { Documents, Part } from '@assurance/storage-ports';
import { Injectable } from '@nestjs/common';
import { type ReportHistory, reportsSoFar } from '../domain/report-times';
import {
  ACTIVITY_THROTTLE_MS,
  type EnvironmentActivity,
  environmentActivity,
  reportTimesOf,
  type ReportFrequency,
} from '../domain/reports';
import { activityAfter, frequencyOf, scheduleLateness } from '../domain/silence';
import { settingsAfter } from './settings-after';

const REMEMBERED = 100_000;

/** The newest report of an environment that this process took. */
interface NewestReport {
  readonly last: ReportTimes;
  /** The observed time that the document names. */
  readonly written: number;
}

/** An environment as its activity needs it. */
type ReportedEnvironment = Pick<Environment, 'id' | 'org' | 'reported' | 'revivals' | 'reportEvery'>;

/**
 * When environments were last reported: state that is no event. Reports that made a snapshot are also known from their event, so what a killed process
 * loses only makes the last report seem earlier. Only the first report of an environment may be known from nothing else: it is persisted.
 */
@Injectable()
export class Activity {
  private readonly notedReports = new Map<string, NewestReport>();

  constructor(private readonly documents: Pick<Documents, 'collection' | 'persist'>) {}

  /**
   * The newest reports of an environment, whichever process received them. Their times may be half a minute too early if other processes receive some of
   * them.
   *
   * @param at when a report was received that names no time itself (milliseconds). If this process noted one in the half minute before, nothing is read.
   */
  async reports(
    environment: ReportedEnvironment & Pick<Environment, 'lastChangedAt'>,
    at?: number,
  ): Promise<ReportHistory & { readonly storedActivity: EnvironmentActivity | null }> {
    if (at !== undefined && this.isNoted(environment, at)) {
      const history = reportsSoFar(environment, this.notedReports.get(environment.id)?.last);
      // If the clock was set back, the report counts as a later one, which may have to be noted.
      const latest = Math.max(history.newest?.observedAt ?? 0, environment.lastChangedAt ?? 0);
      if (latest <= at) return { ...history, storedActivity: null };
    }
    const storedActivity = await this.readStored(environment.id);
    const storedTimes = storedActivity === null ? null : reportTimesOf(storedActivity);
    return {
      ...reportsSoFar(environment, storedTimes, this.notedReports.get(environment.id)?.last),
      storedActivity,
    };
  }

  readStored(id: string): Promise<EnvironmentActivity | null> {
    return this.documents.collection(environmentActivity).get(id);
  }

  /** How often any process receives a report of an environment; null if none has since the environment was created or revived. */
  async rhythm(environment: ReportedEnvironment): Promise<ReportFrequency | null> {
    return frequencyOf(environment, await this.readStored(environment.id), this.notedReports.get(environment.id)?.last);
  }

  /**
   * The writes by which an environment is expected to be reported as its settings say after a decision. Empty where the decision leaves that as it
   * was, or nothing was noted of it.
   *
   * @param before null for one that is created
   */
  async expectedAfter(
    before: Environment | null,
    decision: Decision<EnvironmentEvent, unknown>,
  ): Promise<readonly Part[]> {
    const after = before === null ? null : settingsAfter(before, decision);
    const storedActivity = after === null ? null : await this.readStored(after.id);
    if (after === null || storedActivity === null) return [];
    const { lateAt: _, late: __, ...rest } = storedActivity;
    return [putOf(after.id, after.archived ? rest : scheduleLateness(after, rest))];
  }

  /** Notes a report that changed nothing. */
  async noteUnchanged(environment: ReportedEnvironment, observedAt: number, receivedAt: number): Promise<void> {
    const { id, reported, revivals = 0 } = environment;
    const isStored = reported?.revivals === revivals || this.notedReports.get(id)?.last.revivals === revivals;
    const storedActivity = this.isNoted(environment, observedAt) ? null : await this.readStored(id);
    const { parts, noted } = this.writesFor(environment, observedAt, receivedAt, storedActivity);
    for (const { collection, writes } of parts) await this.documents.collection(collection).write(writes);
    if (!isStored) await this.documents.persist();
    this.remember(id, noted);
  }

  /**
   * The writes that note a report with its commit. Empty if one of the same half minute was noted.
   *
   * @param storedActivity what was noted before
   */
  partsOfReport(
    environment: ReportedEnvironment,
    observedAt: number,
    receivedAt: number,
    storedActivity: EnvironmentActivity | null,
  ): Part[] {
    const { parts, noted } = this.writesFor(environment, observedAt, receivedAt, storedActivity);
    this.remember(environment.id, noted);
    return parts;
  }

  private isNoted({ id, revivals = 0 }: ReportedEnvironment, observedAt: number): boolean {
    const before = this.notedReports.get(id);
    // A time that lies ahead was noted before the clock was set back.
    return before?.last.revivals === revivals && Math.abs(observedAt - before.written) < ACTIVITY_THROTTLE_MS;
  }

  private writesFor(
    environment: ReportedEnvironment,
    observedAt: number,
    receivedAt: number,
    storedActivity: EnvironmentActivity | null,
  ): { readonly parts: Part[]; readonly noted: NewestReport } {
    const { id, revivals = 0 } = environment;
    const last = { observedAt, receivedAt, revivals };
    const before = this.notedReports.get(id);
    if (before !== undefined && this.isNoted(environment, observedAt)) {
      return { parts: [], noted: { last, written: before.written } };
    }
    const doc = activityAfter(environment, storedActivity, { observedAt, receivedAt });
    return { parts: [putOf(id, doc)], noted: { last, written: observedAt } };
  }

  private remember(id: string, report: NewestReport): void {
    if (this.notedReports.size >= REMEMBERED && !this.notedReports.has(id)) this.notedReports.clear();
    this.notedReports.set(id, report);
  }
}

function putOf(id: string, doc: EnvironmentActivity): Part {
  return { collection: environmentActivity, writes: [{ kind: 'put', id, doc }] };
}
