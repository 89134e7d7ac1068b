import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams, SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { noChange } from '@assurance/kernel';
import { foundPages } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { decideEndExceptions } from '../domain/end-exceptions';
import { type ExceptionEndDocument, exceptionEnds, policy, policyVersionId, policyVersions } from '../domain/policy';

/** How often policies are looked for of which exceptions have ended (milliseconds). */
const LOOK_EVERY_MS = 2_000;
/** How long a policy rests of which the end of exceptions could not be recorded (milliseconds). */
const REST_MS = 30_000;
/** How many policies are read at once. */
const PAGE = 100;

/**
 * Records when exceptions of policies have ended: then artifacts are judged again. Every process of the role does this; the conflict check of the
 * stream makes one of them record it.
 */
@Injectable()
export class EndExceptions implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private look: Promise<void> = Promise.resolve();
  private stopped = false;
  /** Until when policies rest, by id, in steady time. */
  private readonly resting = new Map<string, number>();

  constructor(
    private readonly streams: Streams,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.wait(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.look;
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => {
      this.look = this.record().finally(() => {
        if (!this.stopped) this.wait(LOOK_EVERY_MS);
      });
    }, ms);
  }

  /** Never rejects. */
  private async record(): Promise<void> {
    try {
      const collection = this.streams.engines.documents.collection(exceptionEnds);
      const query = { where: { due: { gte: 0, lte: this.clock.now() } }, order: orderBy('due', 'policy') };
      for await (const page of foundPages(collection, query, PAGE)) {
        for (const { doc } of page) {
          if (this.stopped) return;
          await this.recordEnd(doc);
        }
      }
    } catch (err) {
      this.logger.warn({ err }, 'policies of which exceptions end could not be read');
    }
  }

  private async recordEnd({ org, policy: id }: ExceptionEndDocument): Promise<void> {
    if ((this.resting.get(id) ?? 0) > this.clock.steady()) return;
    try {
      const { documents } = this.streams.engines;
      const by = { org, actor: SYSTEM, correlation: this.ids.next() };
      await this.streams.run(policy, streams.policy(id), by, async ({ state }) => {
        if (state === null) return noChange;
        const newest = await documents.collection(policyVersions).get(policyVersionId(id, state.version));
        const end = await documents.collection(exceptionEnds).get(id);
        if (newest === null) return noChange;
        return decideEndExceptions(state, { rules: newest.rules, due: end?.due ?? null, at: this.clock.now() });
      });
      this.resting.delete(id);
    } catch (err) {
      this.resting.set(id, this.clock.steady() + REST_MS);
      this.logger.warn({ err, policy: id }, 'the end of exceptions of a policy could not be recorded');
    }
  }
}
