import { streams, SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { DueRows } from '@assurance/event-sourcing/work-queue/due-rows';
import { noChange } from '@assurance/kernel';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { decideEndExceptions } from '../domain/end-exceptions';
import { type ExceptionEndDocument, exceptionEnds, policy, policyVersionId, policyVersions } from '../domain/policy';

/**
 * Records that exceptions of policies have ended, so that artifacts are judged again. Every process of the role tries it.
 * The conflict check of the stream lets only one of them record it.
 */
@Injectable()
export class EndExceptions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly due: DueRows<ExceptionEndDocument>;

  constructor(
    private readonly streams: Streams,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.due = new DueRows({
      engines: streams.engines,
      rows: exceptionEnds,
      then: 'policy',
      clock,
      keyOf: (row) => row.policy,
      record: (row) => this.recordEnd(row),
      onFailure: (err, row) => {
        if (row === null) logger.warn({ err }, 'could not read the policies with expiring exceptions');
        else logger.warn({ err, policy: row.policy }, 'the end of exceptions of a policy could not be recorded');
      },
    });
  }

  onApplicationBootstrap(): void {
    this.due.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.due.stop();
  }

  private async recordEnd({ org, policy: id }: ExceptionEndDocument): Promise<void> {
    const { documents } = this.streams.engines;
    const by = { org, actor: SYSTEM, correlation: this.ids.next() };
    await this.streams.run(policy, streams.policy(id), by, async ({ state }) => {
      if (state === null) return noChange;
      const newest = await documents.collection(policyVersions).get(policyVersionId(id, state.version));
      const end = await documents.collection(exceptionEnds).get(id);
      if (newest === null) return noChange;
      return decideEndExceptions(state, { rules: newest.rules, due: end?.due ?? null, at: this.clock.now() });
    });
  }
}
