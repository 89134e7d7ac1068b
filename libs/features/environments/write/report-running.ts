import { Register } from '@assurance/access/write/register';
import type { Role } from '@assurance/contracts/access/events';
import type { Environment } from '@assurance/contracts/environments/documents';
import type { EnvironmentEvent, EnvironmentType } from '@assurance/contracts/environments/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { RefusalError } from '@assurance/http';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import {
  type Decision,
  err,
  noChange,
  ok,
  type WaitLimit,
  refused,
  type Result,
  Slices,
  KeyedLimiter,
} from '@assurance/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Difference, differenceIn, type ReportItem } from '../domain/difference';
import type { ReportFacts } from '../domain/facts';
import { previousArtifacts } from '../domain/flows-of';
import { haveStandardsChanged } from '../domain/judged';
import { observedTime } from '../domain/report-times';
import { type EnvironmentActivity, isHistory } from '../domain/reports';
import { runsDigest } from '../domain/runs';
import { Activity } from './activity';
import { collectInSlices, decideReport, refreshInSlices } from './decide-in-slices';
import { Environments, type LoadedEnvironment } from './environments';
import { readFirstStarts, readProvenance, readPreviousStarts } from './judging/facts';
import { Judgement } from './judging/judging';
import { type ReportDigests, ReportDigestCache } from './report-digest-cache';
import { digestKindOf, isUnchanged, type UnloadedEnvironment } from './unchanged';

/** Reports all that an environment runs (specification 4.3). Answers with the new snapshot's index, null when nothing changed. */
export class ReportRunning extends Command<Result<number | null, FeatureRefusal>> {
  constructor(
    readonly caller: Caller,
    readonly environment: string,
    readonly type: EnvironmentType,
    readonly items: readonly ReportItem[],
    /** SHA-256 of the bytes of the body, if known. */
    readonly body?: string,
    /** The time of observation that the report names (integer milliseconds), and the role of the caller; null if the report names none. */
    readonly observation: { readonly at: number; readonly by: Role } | null = null,
  ) {
    super();
  }
}

/** A report with at least this many items is large. Smaller ones take some milliseconds and are not queued. */
const LARGE = 1_000;
/** How long a large report waits for earlier large reports of its organization. */
const WAIT_LIMIT: WaitLimit = {
  waitMs: 10_000,
  timeoutError: () => new RefusalError({ kind: 'too-many-large-reports', seconds: 10 }),
};

/**
 * Large reports of one organization are processed one after the other. Each writes tens of thousands of documents: many at once take longer than
 * callers wait, and take the processors from other organizations.
 */
@CommandHandler(ReportRunning)
export class ReportRunningHandler implements ICommandHandler<ReportRunning> {
  private readonly largeReports = new KeyedLimiter();

  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly environments: Environments,
    private readonly activity: Activity,
    private readonly digestCache: ReportDigestCache,
    private readonly judgement: Judgement,
  ) {}

  async execute(report: ReportRunning): Promise<Result<number | null, FeatureRefusal>> {
    const { observation } = report;
    const receivedAt = this.streams.sources.now();
    if (observation !== null && observation.by !== 'admin' && isHistory({ observedAt: observation.at, receivedAt })) {
      return err({ kind: 'forbidden' });
    }
    if (report.items.length < LARGE) return this.report(report);
    return this.largeReports.run(report.caller.org.id, () => this.report(report), WAIT_LIMIT);
  }

  private async report(report: ReportRunning): Promise<Result<number | null, FeatureRefusal>> {
    const { caller, environment: name, type, items, body } = report;
    const observedAt = report.observation?.at ?? null;
    const unknownEnvironment = { kind: 'environment-unknown', org: caller.org.name, name } as const;
    const slices = new Slices();
    const artifacts = await collectInSlices(items);
    let times = { observedAt: 0, receivedAt: 0 };
    let storedActivity: EnvironmentActivity | null = null;
    const digests: { -readonly [K in keyof ReportDigests]: string } = {};
    const isUnchangedState = async (loaded: UnloadedEnvironment) => {
      const digestKind = digestKindOf(loaded.environment);
      if (digests[digestKind] === undefined) await slices.pause();
      return isUnchanged(loaded, type, (digests[digestKind] ??= runsDigest(artifacts, digestKind)));
    };
    const cacheDigest = () => body !== undefined && this.digestCache.remember(type, body, digests);
    // The cached state may be outdated. It is good enough to find that a report changes something: the commit fails if the state was outdated.
    const cachedEnvironment = this.environments.getCached(caller.org.id, name);
    const changes = cachedEnvironment !== null && !(await isUnchangedState(cachedEnvironment.state));
    const namedEnvironment = changes
      ? cachedEnvironment
      : await this.environments.byName(this.register, caller.org.id, name);
    if (namedEnvironment === null) return err(unknownEnvironment);
    // An unchanged report does not need the running artifacts.
    const { id, state: unloaded } = namedEnvironment;
    let isRenamed = false;
    if (!changes && unloaded !== null && (await isUnchangedState(unloaded))) {
      const result = await this.noteUnchanged(unloaded.environment, observedAt);
      if (result.ok) cacheDigest();
      return result;
    }
    const decide = async (
      current: LoadedEnvironment | null,
      at: number,
    ): Promise<Decision<EnvironmentEvent, FeatureRefusal>> => {
      if (current === null) return refused(unknownEnvironment);
      isRenamed = changes && current.environment.name !== name;
      if (isRenamed) return noChange;
      if (current.environment.archived) return refused({ kind: 'environment-archived', name });
      const reports = await this.activity.reports(current.environment, observedAt === null ? at : undefined);
      const observedResult = observedTime(current.environment, observedAt, reports, at);
      if (!observedResult.ok) return refused(observedResult.refusal);
      times = { observedAt: observedResult.value, receivedAt: at };
      storedActivity = reports.storedActivity;
      if (await isUnchangedState(current)) return noChange;
      await slices.pause();
      const difference = differenceIn(current.environment, current.running, artifacts);
      await slices.pause();
      const previousReportAt = reports.previous?.observedAt ?? null;
      const facts = {
        ...(await this.facts(current, difference, previousReportAt !== null)),
        observedAt: observedResult.value,
        previousReportAt,
      };
      return decideReport(current, { type, artifacts }, facts, difference);
    };
    // A report lists everything that runs after it, so its digest is also that of its commit.
    const committedDigests = ({ environment }: LoadedEnvironment): ReportDigests => {
      const digestKind = digestKindOf(environment);
      // For an item without a digest, the running artifact may have one.
      return artifacts[0]?.fingerprint === '' ? {} : { [digestKind]: digests[digestKind] };
    };
    const partsBeside = (environment: Environment) =>
      this.activity.partsOfReport(environment, times.observedAt, times.receivedAt, storedActivity);
    const outcome = await this.environments.run<FeatureRefusal>(id, commitAuthorOf(caller), decide, {
      partsBeside,
      digests: committedDigests,
      cached: changes,
    });
    if (isRenamed) return this.report(report);
    if (outcome.kind === 'refused') return err(outcome.refusal);
    cacheDigest();
    if (outcome.kind === 'nothing' && outcome.state !== null) {
      await this.activity.noteUnchanged(outcome.state, times.observedAt, times.receivedAt);
    }
    return ok(outcome.kind === 'committed' ? outcome.state.snapshot : null);
  }

  /** Notes a report that repeats the current state. */
  private async noteUnchanged(environment: Environment, time: number | null): Promise<Result<null, FeatureRefusal>> {
    const at = this.streams.sources.now();
    // The time of receipt is not checked against earlier reports: if the clock was set back, this report is the last one all the same.
    const observedResult =
      time === null ? ok(at) : observedTime(environment, time, await this.activity.reports(environment), at);
    if (!observedResult.ok) return observedResult;
    await this.activity.noteUnchanged(environment, observedResult.value, at);
    return ok(null);
  }

  /**
   * Facts of other streams about the artifacts that changed. They are read after the environment's own stream.
   *
   * @param isLater whether the environment had a report before. What the first report starts is the baseline, not a deployment
   */
  private async facts(
    current: LoadedEnvironment,
    difference: Difference,
    isLater: boolean,
  ): Promise<Omit<ReportFacts, 'observedAt' | 'previousReportAt'>> {
    const { environment, running } = current;
    const { started, exited, scaled } = difference;
    const changedArtifacts = [
      ...started.map(({ fingerprint }) => ({ fingerprint, since: environment.snapshot + 1 })),
      ...[...exited, ...scaled.map(({ before }) => before)].map(({ fingerprint, since }) => ({
        fingerprint,
        since: since.snapshot,
      })),
    ];
    const { documents } = this.streams.engines;
    const slices = new Slices();
    const standards = await this.judgement.standardsOf(environment);
    const artifactsToJudge = haveStandardsChanged(environment, standards)
      ? (await refreshInSlices(running, difference)).running
      : [];
    const fingerprints = [...changedArtifacts, ...artifactsToJudge].map(({ fingerprint }) => fingerprint);
    await slices.pause();
    const provenanceLookup = await readProvenance(documents, environment.org, fingerprints);
    await slices.pause();
    const all = [
      ...changedArtifacts,
      ...artifactsToJudge.map(({ fingerprint, since }) => ({ fingerprint, since: since.snapshot })),
    ];
    const { provenanceOf } = provenanceLookup;
    const ranBefore = await readPreviousStarts(documents, environment.id, all, provenanceLookup);
    await slices.pause();
    const deployedArtifacts = isLater ? started : [];
    const facts = { provenanceOf, ranBefore };
    const firstStart = await readFirstStarts(
      documents,
      environment.id,
      deployedArtifacts,
      environment.snapshot + 1,
      facts,
    );
    await slices.pause();
    const startedArtifacts = started.map(({ fingerprint }) => ({
      fingerprint,
      since: { snapshot: environment.snapshot + 1 },
    }));
    const judgedArtifacts = [...started, ...scaled.map(({ before }) => before), ...artifactsToJudge];
    const entries = [...startedArtifacts, ...exited, ...scaled.map(({ before }) => before), ...artifactsToJudge];
    const previous = standards === null ? [] : previousArtifacts(facts, exited, entries);
    await slices.pause();
    return {
      ...facts,
      firstStart,
      stateOf: await this.judgement.statesOf(previous),
      recordedArtifacts: await this.environments.readRecorded(current),
      environmentStandards:
        standards === null
          ? null
          : await this.judgement.of(environment, standards, judgedArtifacts, provenanceLookup.reports),
    };
  }
}
