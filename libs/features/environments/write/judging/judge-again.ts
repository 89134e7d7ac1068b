import { SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import type { Caller } from '@assurance/http/command-caller';
import { endsWithin, noChange } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import { previousArtifacts } from '../../domain/flows-of';
import { scopeOf } from '../../domain/judge-again';
import { observedWithoutReport } from '../../domain/report-times';
import type { JudgingWork } from '../../judging/work';
import { Activity } from '../activity';
import { decideJudgeAgain, artifactsToRejudgeInSlices } from '../decide-in-slices';
import { Environments, type LoadedEnvironment } from '../environments';
import { readProvenance, readPreviousStarts } from './facts';
import { Judgement } from './judging';
import { lowestProvenanceCounts, findNewProvenance } from './new-provenance';

/** Creates a snapshot of an environment if its provenance, evidence or policies give another result than its newest snapshot. */
@Injectable()
export class JudgeAgain {
  constructor(
    private readonly streams: Streams,
    private readonly environments: Environments,
    private readonly judgement: Judgement,
    private readonly activity: Activity,
  ) {}

  /** @throws Refused `lost-race` */
  async do(environment: string, { org, fingerprints, correlation }: JudgingWork): Promise<void> {
    const query = fingerprints === null ? null : new Set(fingerprints);
    await this.environments.run(environment, { org, actor: SYSTEM, correlation }, (current, at) =>
      current === null ? noChange : this.decide(current, query, at),
    );
  }

  private async decide(current: LoadedEnvironment, query: ReadonlySet<string> | null, at: number) {
    const { documents } = this.streams.engines;
    const { environment } = current;
    const { id, org } = environment;
    const standards = await this.judgement.standardsOf(current.environment);
    const scope = scopeOf(current, query, standards);
    const isJudged = standards !== null || current.environment.judged !== null;
    // Without policies only new provenance matters, and the counts show it.
    const moved = isJudged ? null : await findNewProvenance(documents, org, await lowestProvenanceCounts(scope));
    const looked = scope.filter(({ fingerprint }) => moved === null || moved.has(fingerprint));
    const fingerprints = new Set(looked.map(({ fingerprint }) => fingerprint));
    const provenanceLookup = await readProvenance(documents, org, fingerprints);
    const environmentStandards =
      standards === null ? null : await this.judgement.of(environment, standards, looked, provenanceLookup.reports);
    const changed = await artifactsToRejudgeInSlices(
      current.running,
      { fingerprints },
      { ...provenanceLookup, environmentStandards },
    );
    const started = changed.map(({ fingerprint, since }) => ({ fingerprint, since: since.snapshot }));
    const ranBefore = await readPreviousStarts(documents, id, started, provenanceLookup);
    const recordedArtifacts = await this.environments.readRecorded(current);
    const { provenanceOf } = provenanceLookup;
    const previous = environmentStandards === null ? [] : previousArtifacts({ provenanceOf, ranBefore }, [], changed);
    const stateOf = await this.judgement.statesOf(previous);
    const observedAt = observedWithoutReport(environment, await this.activity.reports(environment), at);
    const facts = { observedAt, provenanceOf, ranBefore, stateOf, environmentStandards, recordedArtifacts };
    return decideJudgeAgain(current, changed, facts);
  }
}

/** How long a caller waits (milliseconds). Judging continues afterwards. */
const WAIT_MS = 5_000;

/**
 * Judges an environment right after a command changed its standards, so that the caller sees the new snapshot. This is not needed for
 * correctness: the commit enqueues the environment too, and the second judgement finds nothing to do.
 */
@Injectable()
export class ImmediateJudgement {
  constructor(
    private readonly work: JudgeAgain,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async judgeAgain(environment: string, caller: Caller, fingerprints: JudgingWork['fingerprints']): Promise<void> {
    await endsWithin(WAIT_MS, this.judge(environment, caller, fingerprints));
  }

  /** Never rejects. */
  private async judge(
    environment: string,
    { org, correlation }: Caller,
    fingerprints: JudgingWork['fingerprints'],
  ): Promise<void> {
    try {
      await this.work.do(environment, { org: org.id, correlation, fingerprints });
    } catch (err) {
      this.logger.warn(
        { err, environment, correlation },
        'an environment was not judged at once; a worker will judge it',
      );
    }
  }
}
