import {
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
  SETTINGS,
  type Settings,
} from '@assurance/event-sourcing/tokens';
import type { LeasedItem } from '@assurance/event-sourcing/work-queue/work-queue';
import { QueueWorkers } from '@assurance/event-sourcing/work-queue/workers';
import { SECRET_BOX, type SecretBox } from '@assurance/http';
import type { Commit } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Tools } from '../channels/channel';
import { MAIL_CONNECTIONS } from '../channels/email/mailer';
import type { DestinationWork } from './destination-queue';
import { Destinations } from './destinations';
import { Dispatch } from './dispatch';
import { KeyExpiry } from './key-expiry';
import { Ledger } from './ledger';
import { Retention } from './retention';
import { toolsOf } from './settings';
import { Watch } from './watch';

/** The number of destinations that a process sends to concurrently by HTTP. As long as fewer destinations are slow, they delay no others. */
const WORKERS = 64;

/** Stores messages in the ledger and sends them while the application runs. */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly ledger: Ledger;
  private readonly watch: Watch;
  private readonly tools: Tools;
  private readonly dispatch: Dispatch;
  private readonly workers: readonly QueueWorkers<DestinationWork>[];
  private readonly retention: Retention;
  private readonly keyExpiry: KeyExpiry;

  constructor(
    @Inject(PORTS) { events, documents }: Ports,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(SECRET_BOX) box: SecretBox,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    const destinations = new Destinations(documents, () => clock.now());
    this.ledger = new Ledger(documents, destinations);
    this.retention = new Retention({
      ledger: this.ledger,
      clock,
      days: settings.notifying.keepDays,
      onFailure: (err) => logger.warn({ err }, 'old deliveries could not be removed'),
    });
    this.keyExpiry = new KeyExpiry({
      documents,
      events,
      ledger: this.ledger,
      clock,
      ids,
      onMessages: () => this.wake(),
      onFailure: (err) => logger.warn({ err }, 'ending API keys could not be announced'),
    });
    this.watch = new Watch({ events, documents, ledger: this.ledger, retention: this.retention, clock, ids });
    this.tools = toolsOf(settings);
    const { ledger, tools } = this;
    this.dispatch = new Dispatch({ documents, ledger, destinations, tools, box, settings, clock, ids });
    const commonOptions = {
      newId: () => ids.next(),
      onFailure: (err: unknown, leased: LeasedItem<DestinationWork> | null) =>
        logger.warn({ err, destination: leased?.id }, 'waiting messages could not be processed'),
    };
    const { directQueue, mail } = destinations;
    this.workers = [
      new QueueWorkers({
        ...commonOptions,
        queue: directQueue,
        workers: WORKERS,
        work: (leased) => this.dispatch.direct(leased),
      }),
      // One worker for each connection, so that no worker holds a lease while it waits for a connection.
      new QueueWorkers({
        ...commonOptions,
        queue: mail,
        workers: MAIL_CONNECTIONS,
        work: (leased) => this.dispatch.mail(leased),
      }),
    ];
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.watch.begin();
    for (const workers of this.workers) workers.start();
    this.retention.start();
    this.keyExpiry.start();
  }

  /** Waits for running attempts. Pending messages stay in the ledger for the next process. */
  async onApplicationShutdown(): Promise<void> {
    this.dispatch.stop();
    await Promise.all([...this.workers.map((workers) => workers.stop()), this.retention.stop(), this.keyExpiry.stop()]);
    await this.tools.sender.close();
    await this.tools.mailer?.close();
  }

  async follow(batch: readonly Commit[]): Promise<void> {
    if (await this.watch.follow(batch)) this.wake();
    await this.keyExpiry.follow(batch);
  }

  /** Looks for messages at once, because there are new ones. */
  wake(): void {
    for (const workers of this.workers) workers.wake();
  }
}
