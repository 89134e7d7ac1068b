import { LOGGER, type Logger } from '@assurance/http';
import type { JudgingWork } from '@assurance/work-queue';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../core/caller';
import { JudgeAgain } from './judge-again';

/** How long a caller waits (milliseconds). Judging continues afterwards. */
const WAIT_MS = 5_000;

/**
 * Judges an environment right after a command changed its standards, so that the caller sees the new snapshot. This is not needed for
 * correctness: the commit enqueues the environment too, and the second judgement finds nothing to do.
 */
@Injectable()
export class JudgeNow {
  constructor(
    private readonly work: JudgeAgain,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async again(environment: string, caller: Caller, fingerprints: JudgingWork['fingerprints']): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)));
    await Promise.race([this.judge(environment, caller, fingerprints), waited]);
    clearTimeout(timer);
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
