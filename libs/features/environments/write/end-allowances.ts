import { allowed, type AllowedDocument } from '@assurance/contracts/environments/documents';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { SYSTEM } from '@assurance/contracts/events/streams';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { CLOCK, type Clock, IDS, type Ids, LOGGER, type Logger } from '@assurance/event-sourcing/tokens';
import { noChange } from '@assurance/kernel';
import { foundPages } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { decideEndAllowance } from '../domain/allow-list';
import { Environments } from './environments';

/** How often entries are looked for whose end is near or has come (milliseconds). */
const LOOK_EVERY_MS = 2_000;
/** How long an entry rests whose end could not be recorded (milliseconds). */
const REST_MS = 30_000;
/** How many entries are read at once. */
const PAGE = 100;

/**
 * Records when entries of allow-lists are about to end, and when they have ended. What follows from these events is the work of others: verdicts,
 * snapshots and messages. Every process of the role does this; the conflict check of the stream makes one of them record it.
 */
@Injectable()
export class EndAllowances implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private look: Promise<void> = Promise.resolve();
  private stopped = false;
  /** Until when entries rest, by environment and fingerprint, in steady time. */
  private readonly resting = new Map<string, number>();

  constructor(
    private readonly streams: Streams,
    private readonly environments: Environments,
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

  /** Records the end of every entry that is due. Never rejects. */
  private async record(): Promise<void> {
    try {
      const collection = this.streams.engines.documents.collection(allowed);
      const query = { where: { due: { gte: 0, lte: this.clock.now() } }, order: orderBy('due', 'environment') };
      for await (const page of foundPages(collection, query, PAGE)) {
        for (const { doc } of page) {
          if (this.stopped) return;
          await this.recordEnd(doc);
        }
      }
    } catch (err) {
      this.logger.warn({ err }, 'entries of allow-lists that end could not be read');
    }
  }

  private async recordEnd({ environment, fingerprint }: AllowedDocument): Promise<void> {
    const key = `${environment}/${fingerprint}`;
    if ((this.resting.get(key) ?? 0) > this.clock.steady()) return;
    try {
      const org = (await this.environments.find(environment))?.environment.org;
      if (org !== undefined) await this.end(org, environment, fingerprint);
      this.resting.delete(key);
    } catch (err) {
      this.resting.set(key, this.clock.steady() + REST_MS);
      this.logger.warn({ err, environment, fingerprint }, 'the end of an entry of an allow-list could not be recorded');
    }
  }

  private async end(org: string, environment: string, fingerprint: string): Promise<void> {
    const by = { org, actor: SYSTEM, correlation: this.ids.next() };
    await this.environments.run(environment, by, async (present, at) => {
      if (present === null) return noChange;
      const entry = await this.environments.allowedEntry(environment, fingerprint);
      return decideEndAllowance(present.environment, { fingerprint }, { entry, at });
    });
  }
}
