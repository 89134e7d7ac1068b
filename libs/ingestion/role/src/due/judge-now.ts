import { LOGGER, type Logger } from '@assurance/http';
import type { Due } from '@assurance/ingestion-due';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../caller';
import { JudgeAgain } from './judge-again';

/**
 * Judges an environment right after a command changed what counts in it, so that its caller finds the new snapshot. No more than a courtesy:
 * the commit makes the environment due as well, and whoever comes second finds nothing to do.
 */
@Injectable()
export class JudgeNow {
  constructor(
    private readonly work: JudgeAgain,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async again(environment: string, { org, correlation }: Caller, fingerprints: Due['fingerprints']): Promise<void> {
    try {
      await this.work.do(environment, { org: org.id, correlation, fingerprints });
    } catch (err) {
      this.logger.warn(
        { err, environment, correlation },
        'an environment was not judged at once and is left to those that are due',
      );
    }
  }
}
