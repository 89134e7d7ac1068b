import type { Commit, Documents } from '@assurance/storage-ports';
import { CannotResume, type Changes, type ChangeSource, type Publisher } from './change-source';
import { Lease, LeaseLost, type RelayState, relayStates } from './lease';

/** Interval of heartbeats (milliseconds). */
const BEAT_MS = 1_000;
/** After this time without a heartbeat, another process takes over (milliseconds). */
const SILENCE_MS = 5_000;
/**
 * A relay that cannot resume starts this long before the last published commit (milliseconds), because clocks differ and
 * groups of appends overtake one another.
 */
const OVERLAP_MS = 10 * 60_000;
const PAUSE_MS = 500;
/** If a store reports nothing for so long, nobody knows whether commits wait (milliseconds). It answers once a second. */
const QUIET_MS = 2_000;

export interface RelayOptions {
  readonly source: ChangeSource;
  readonly publisher: Publisher;
  readonly documents: Documents;
  /** Identifies this process among others. */
  readonly id: string;
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** The state of a relay, for metrics. */
export interface RelayStatus {
  /** Whether this process publishes, or tries to. */
  readonly active: boolean;
  /** Messages that this process published. */
  readonly published: number;
  /**
   * How long ago the last commits were acknowledged (milliseconds) while others wait, or while the store does not say whether others wait. It
   * counts from what the process before published, too. 0 while none waits. Null if this process is not active.
   */
  readonly lag: number | null;
}

type RelayCheckpoint = Pick<RelayState, 'position' | 'reached' | 'published'>;

/**
 * Publishes every commit of the event store to the feed at least once, each stream in order. One process publishes. If it ends, another takes
 * over within seconds. The position is stored after the broker acknowledges the commits.
 */
export class Relay {
  private stopping = false;
  private readonly lease: Lease;
  private active = false;
  private sentCount = 0;
  private checkpoint: RelayCheckpoint = { position: null, reached: 0, published: 0 };
  private savedAt: number | null = null;
  /** When the last commits were acknowledged, or when the store last reported that there are none. */
  private upToDateAt: number;
  private isListening = false;
  private readonly ended: Promise<void>;

  /** Starts to publish at once. */
  constructor(private readonly options: RelayOptions) {
    this.lease = new Lease(options.documents.collection<RelayState>(relayStates), options.id);
    this.upToDateAt = options.elapsed();
    this.ended = this.run();
  }

  status(): RelayStatus {
    return { active: this.active, published: this.sentCount, lag: this.active ? this.lag() : null };
  }

  private lag(): number {
    const lag = this.options.elapsed() - this.upToDateAt;
    return this.isListening && lag < QUIET_MS ? 0 : lag;
  }

  /** Stops publishing and releases the lease, so that another process begins at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.ended;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const state = await this.becomeHolder();
        if (state !== null) await this.relay(state);
      } catch (error) {
        if (error instanceof LeaseLost) this.active = false;
        else this.options.onFault(error);
        await this.options.sleep(PAUSE_MS);
      }
    }
    this.active = false;
    await this.lease.release().catch(this.options.onFault);
  }

  /**
   * Waits until the lease is free or its holder has sent no heartbeat for too long. A holder that tries again sends no heartbeat, so that another
   * process may try if it goes on failing. Null when stopped.
   */
  private async becomeHolder(): Promise<RelayState | null> {
    let lastState = await this.lease.read();
    for (let since = this.options.elapsed(); !this.stopping;) {
      if (lastState.holder === this.options.id) return lastState;
      this.active = false;
      const silenceMs = this.options.elapsed() - since;
      if (lastState.holder === null || silenceMs >= SILENCE_MS) {
        const state = await this.lease.acquire(lastState);
        if (state !== null) return state;
      }
      await this.options.sleep(BEAT_MS / 2);
      const now = await this.lease.read();
      if (now.beat !== lastState.beat) since = this.options.elapsed();
      // A holder sends heartbeats only while its commits are acknowledged.
      if (now.beat !== lastState.beat && now.holder === lastState.holder) this.upToDateAt = since;
      lastState = now;
    }
    return null;
  }

  private async relay(state: RelayState): Promise<void> {
    const { position, reached, published } = state;
    this.checkpoint = { position, reached, published };
    this.savedAt = null;
    this.active = true;
    const value = await this.options.publisher.messageCount();
    // If fewer messages exist than were published, the topic was created again. The count restarts with its current
    // messages. Otherwise every process that takes over would publish everything again.
    const lost = published > value;
    if (lost) this.checkpoint = { ...this.checkpoint, position: null, published: value };
    let changes = await this.begin(lost ? null : position, lost ? 0 : reached);
    try {
      while (!this.stopping) {
        const batch = await this.nextChanges(changes);
        if (batch === 'gone') {
          await changes.close();
          changes = await this.begin(null, this.checkpoint.reached);
          continue;
        }
        if (batch !== null) {
          await this.publish(batch.commits);
          const newestTime = newestOf(batch.commits, this.checkpoint.reached);
          this.checkpoint = { ...this.checkpoint, position: batch.position, reached: newestTime };
        }
        if (batch === null) this.upToDateAt = this.options.elapsed();
        await this.save();
      }
      await this.lease.renew(this.checkpoint);
    } finally {
      await changes.close();
    }
  }

  /**
   * Follows new commits after the position. Without a position it follows them from now on, and then publishes the existing commits. Repeated
   * commits are harmless, missing ones are not.
   */
  private async begin(position: string | null, startTime: number): Promise<Changes> {
    const { source } = this.options;
    const changes = await source.follow(position);
    if (position !== null) return changes;
    let newest = startTime;
    try {
      for await (const commits of source.since(Math.max(0, startTime - OVERLAP_MS))) {
        await this.publish(commits);
        newest = newestOf(commits, newest);
        // Commits are read stream by stream, so the position is known only when all of them are published.
        this.checkpoint = { ...this.checkpoint, position: null, reached: startTime };
        await this.save();
        if (this.stopping) return changes;
      }
    } catch (error) {
      await changes.close();
      throw error;
    }
    this.checkpoint = { ...this.checkpoint, reached: newest };
    return changes;
  }

  private async nextChanges(changes: Changes) {
    this.isListening = true;
    try {
      return await changes.next();
    } catch (error) {
      if (error instanceof CannotResume) return 'gone' as const;
      throw error;
    } finally {
      this.isListening = false;
    }
  }

  private async publish(commits: readonly Commit[]): Promise<void> {
    await this.options.publisher.publish(commits);
    this.upToDateAt = this.options.elapsed();
    this.sentCount += commits.length;
    this.checkpoint = { ...this.checkpoint, published: this.checkpoint.published + commits.length };
  }

  /** Stores the checkpoint once for each heartbeat. After a crash, later commits are published again. */
  private async save(): Promise<void> {
    const now = this.options.elapsed();
    if (this.savedAt !== null && now - this.savedAt < BEAT_MS) return;
    await this.lease.renew(this.checkpoint);
    this.savedAt = now;
  }
}

function newestOf(commits: readonly Commit[], newest: number): number {
  return commits.reduce((most, { at }) => Math.max(most, at), newest);
}
