import { kindOf } from '@assurance/contracts/events/streams';
import type { PublicEvent } from '@assurance/contracts/notifications/events';
import { commitsOf } from '@assurance/event-sourcing/sealing/read';
import {
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
  PUBLIC_EVENTS,
} from '@assurance/event-sourcing/tokens';
import { pieces } from '@assurance/kernel';
import type { Commit, PublicEvents, StreamPosition } from '@assurance/storage-ports';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DeploymentResults } from '../lookups/deployment-results';
import { PublicEventsOfCommits } from '../lookups/public-events';
import { UndecidedStreams } from './undecided';
import { type UndecidedCommits, undecidedEvents } from './undecided-queue';

/** How many events are published at once, because a large report causes many. */
const FLUSH = 500;
/** How many streams are looked up at once. */
const PIECE = 500;

/** Publishes events for other programs. Events have ids of their commits, so publishing a commit again is harmless. */
@Injectable()
export class PublicEventPublisher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly publicEvents: PublicEventsOfCommits;
  private readonly results: DeploymentResults;
  private readonly undecided: UndecidedStreams;

  constructor(
    @Inject(PORTS) ports: Ports,
    @Inject(CLOCK) clock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LOGGER) logger: Logger,
    @Inject(PUBLIC_EVENTS) private readonly topic: PublicEvents | null,
  ) {
    const { events, documents } = ports;
    this.results = new DeploymentResults(ports);
    this.publicEvents = new PublicEventsOfCommits(events, this.results);
    this.undecided = new UndecidedStreams({
      documents,
      queue: undecidedEvents,
      clock,
      ids,
      results: this.results,
      send: (stream, { from, to }) => this.publish(commitsOf(events, stream, from, to)),
      onFailure: (err) => logger.warn({ err }, 'events about deployments could not be published'),
    });
  }

  onApplicationBootstrap(): void {
    if (this.topic !== null) this.undecided.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.undecided.stop();
  }

  /**
   * Publishes the events of a batch. The offset of the consumer moves after the whole batch is published. After a fault, events are published again
   * with the same ids. Commits of an environment whose deployments are not decided yet are published later, and its later ones after them.
   */
  async follow(batch: readonly Commit[]): Promise<void> {
    if (this.topic === null) return;
    const undecided = await this.undecidedIn(batch);
    await this.publish(batch.filter(({ stream }) => !undecided.has(stream)));
    await this.undecided.add(undecided);
  }

  private async undecidedIn(batch: readonly Commit[]): Promise<ReadonlyMap<string, UndecidedCommits>> {
    const ends = new Map<string, UndecidedCommits>();
    for (const { stream, seq } of batch)
      if (kindOf(stream) === 'environment') ends.set(stream, { from: ends.get(stream)?.from ?? seq, to: seq });
    const positions = [...ends].map(([stream, { to }]): StreamPosition => ({ stream, seq: to }));
    for (const some of pieces(positions, PIECE)) {
      const waiting = await this.undecided.waiting(some.map(({ stream }) => stream));
      for (const stream of await this.results.decided(some)) if (!waiting.has(stream)) ends.delete(stream);
    }
    return ends;
  }

  private async publish(commits: Iterable<Commit> | AsyncIterable<Commit>): Promise<void> {
    let pendingEvents: PublicEvent[] = [];
    for await (const commit of commits) {
      for (const event of await this.publicEvents.of(commit)) {
        pendingEvents.push(event);
        if (pendingEvents.length < FLUSH) continue;
        await this.topic?.publish(pendingEvents);
        pendingEvents = [];
      }
    }
    if (pendingEvents.length > 0) await this.topic?.publish(pendingEvents);
  }
}
