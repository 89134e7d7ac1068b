import { allowed, type AllowedDocument } from '@assurance/contracts/environments/documents';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { DueRows } from '@assurance/event-sourcing/work-queue/due-rows';
import { noChange } from '@assurance/kernel';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { decideEndAllowance } from '../domain/allow-list';
import { Environments } from './environments';

/**
 * Records when entries of allow-lists are about to end, and when they have ended. What follows from these events is the work of others: verdicts,
 * snapshots and messages. Every process of the role does this; the conflict check of the stream makes one of them record it.
 */
@Injectable()
export class EndAllowances implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly due: DueRows<AllowedDocument>;

  constructor(
    streams: Streams,
    private readonly environments: Environments,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.due = new DueRows({
      engines: streams.engines,
      rows: allowed,
      then: 'environment',
      clock,
      keyOf: ({ environment, fingerprint }) => `${environment}/${fingerprint}`,
      record: (row) => this.recordEnd(row),
      onFailure: (err, row) => {
        if (row === null) return logger.warn({ err }, 'entries of allow-lists that end could not be read');
        const { environment, fingerprint } = row;
        logger.warn({ err, environment, fingerprint }, 'the end of an entry of an allow-list could not be recorded');
      },
    });
  }

  onApplicationBootstrap(): void {
    this.due.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.due.stop();
  }

  private async recordEnd({ environment, fingerprint }: AllowedDocument): Promise<void> {
    const org = (await this.environments.find(environment))?.environment.org;
    if (org === undefined) return;
    const by = { org, actor: SYSTEM, correlation: this.ids.next() };
    await this.environments.run(environment, by, async (current, at) => {
      if (current === null) return noChange;
      const entry = await this.environments.allowedEntry(environment, fingerprint);
      return decideEndAllowance(current.environment, { fingerprint }, { entry, at });
    });
  }
}
