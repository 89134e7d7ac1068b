import type { Checkpoint, CheckpointChunk, CheckpointSigned } from '@assurance/contracts/events/checkpoint';
import { NO_ORGANIZATION, SYSTEM } from '@assurance/contracts/events/streams';
import { canonicalJson, pieces, sha256 } from '@assurance/kernel';
import { type Commit, type EventStore, StoreUnavailable } from '@assurance/storage-ports';
import type { ChangeLog, PlacesBatch } from '../relay/change-source';
import { seal } from '../sealing/seal';
import {
  checkpointHash,
  checkpointOf,
  CHECKPOINTS,
  CHUNK_STREAMS,
  rootOfStreams,
  type SignedCheckpoint,
  signedText,
  type StreamCheckpoint,
} from './checkpoint';
import type { Signer } from './keys';
import { rootOf } from './merkle';

/** The most streams in one checkpoint, which bounds memory. */
const STREAMS_MAX = 64 * CHUNK_STREAMS;

export interface CheckpointerOptions {
  readonly changes: ChangeLog;
  readonly events: EventStore;
  readonly signer: Signer;
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  /** A new UUIDv7. */
  readonly id: () => string;
  /** Waits, and returns early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** The shortest time between two looks for new commits (milliseconds). */
  readonly every?: number;
  /** The most streams in one checkpoint; 65,536 by default. */
  readonly streamsMax?: number;
}

const EVERY_MS = 15_000;

/**
 * Writes a chain of signed checkpoints. Each holds the newest commit and its hash for every stream that changed since the previous checkpoint.
 * A checkpoint names its position in the changes of the store, and the next one begins there. So a process that stops between a commit and its
 * checkpoint loses nothing. If several processes append a checkpoint, the first one wins, and the others begin again after it.
 */
export class Checkpointer {
  private readonly stopController = new AbortController();
  private currentRun: Promise<void> | null = null;
  private round: Promise<number> | null = null;
  private lastSeenHash: string | null = null;
  /** The position up to which there was nothing to sign after a checkpoint. */
  private lastLook: { readonly after: string | null; readonly position: string } | null = null;

  private signedAt: number | null = null;

  constructor(private readonly options: CheckpointerOptions) {}

  /**
   * When this process last found or made a checkpoint that covers all commits (integer milliseconds); null before the
   * first time.
   */
  get coveredAt(): number | null {
    return this.signedAt;
  }

  /** Signs new commits every 15 s, until it is stopped. */
  start(): void {
    this.currentRun ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopController.abort();
    await this.currentRun;
    await this.round?.catch(() => undefined);
  }

  /**
   * Signs the commits since the last checkpoint. If another process signs first, it continues after that checkpoint. If there are no new commits
   * and the last checkpoint has another key, it signs that checkpoint again: the secret was changed, or the store was imported.
   *
   * @returns how many checkpoints it made
   * @throws StoreUnavailable
   */
  sign(): Promise<number> {
    this.round ??= this.signNow()
      .then((count) => {
        this.signedAt = this.options.now();
        return count;
      })
      .finally(() => (this.round = null));
    return this.round;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopController;
    const { sleep, events, onFault, every = EVERY_MS } = this.options;
    while (!signal.aborted) {
      await sleep(every, signal);
      if (signal.aborted) return;
      try {
        const newest = await events.newest(CHECKPOINTS);
        // Another process signs the checkpoints.
        const other = newest !== null && newest.id !== this.lastSeenHash;
        this.lastSeenHash = newest?.id ?? null;
        if (other) this.signedAt = this.options.now();
        else await this.sign();
      } catch (error) {
        onFault(error);
      }
    }
  }

  private async signNow(): Promise<number> {
    const { events, signer, streamsMax = STREAMS_MAX } = this.options;
    let before = await events.newest(CHECKPOINTS);
    const last = before === null ? null : await checkpointOf(events, before);
    const { lastLook } = this;
    const position = lastLook !== null && lastLook.after === (before?.id ?? null) ? lastLook.position : last?.position;
    const changedStreams = new Map<string, StreamCheckpoint>();
    let count = 0;
    let reached: string | null = null;
    const flush = async (): Promise<boolean> => {
      before = await this.append(before, [...changedStreams.values()], reached);
      changedStreams.clear();
      if (before === null) return false;
      this.lastSeenHash = before.id;
      count += 1;
      return true;
    };
    for await (const { places, position: next } of this.changesAfter(position ?? null)) {
      for (const place of places) if (place.stream !== CHECKPOINTS) changedStreams.set(place.stream, place);
      reached = next;
      if (this.stopController.signal.aborted) break;
      if (changedStreams.size >= streamsMax && !(await flush())) return count + (await this.signNow());
    }
    if (changedStreams.size > 0) return (await flush()) ? count : count + (await this.signNow());
    if (count === 0 && before !== null && last !== null && last.checkpoint.key !== signer.key) {
      const secondCommit = await this.appendSigned(before, {
        streams: last.checkpoint.streams,
        chunks: last.chunks,
        position: reached ?? last.position,
      });
      if (secondCommit === null) return this.signNow();
      this.lastSeenHash = secondCommit.id;
      return 1;
    }
    if (reached !== null) this.lastLook = { after: before?.id ?? null, position: reached };
    return count;
  }

  /** All changes after a position, up to the newest one. If there is no position, or the store no longer has it, they begin with the first commit. */
  private async *changesAfter(
    position: string | null,
  ): AsyncGenerator<Pick<PlacesBatch, 'places'> & { readonly position: string | null }> {
    const { changes } = this.options;
    if (position !== null) {
      try {
        yield* changes.after(position);
        return;
      } catch (error) {
        // The store no longer has the position, or the position is from the store that was imported. Engines report
        // this with different errors.
        if (error instanceof StoreUnavailable) throw error;
      }
    }
    const from = await changes.now();
    for await (const places of changes.all()) yield { places, position: null };
    // The changes up to this position are included.
    yield { places: [], position: from };
    yield* changes.after(from);
  }

  /** @returns null when another process was first */
  private async append(
    before: Commit | null,
    changedStreams: readonly StreamCheckpoint[],
    position: string | null,
  ): Promise<Commit | null> {
    const { events } = this.options;
    const byDigest = new Map(changedStreams.map((candidate) => [sha256(candidate.stream), candidate]));
    const chunks: CheckpointChunk[] = [];
    for (const digests of pieces([...byDigest.keys()].sort(), CHUNK_STREAMS)) {
      const streamsOfDigests = digests.flatMap((candidate) => byDigest.get(candidate) ?? []);
      const digest = await events.putData(NO_ORGANIZATION, canonicalJson(streamsOfDigests));
      chunks.push({ first: digests[0] ?? '', digest, root: rootOfStreams(streamsOfDigests) });
    }
    return this.appendSigned(before, { streams: changedStreams.length, chunks, position });
  }

  /** @returns null when another process was first */
  private async appendSigned(
    before: Commit | null,
    { streams, chunks, position }: Pick<SignedCheckpoint, 'chunks' | 'position'> & Pick<Checkpoint, 'streams'>,
  ): Promise<Commit | null> {
    const { events, signer, now, id } = this.options;
    const last = before === null ? null : await checkpointOf(events, before);
    const previous = last === null ? null : checkpointHash(last.checkpoint);
    const checkpoint: Checkpoint = {
      number: (before?.seq ?? 0) + 1,
      at: now(),
      previous,
      streams,
      root: rootOf(chunks.map(({ root }) => root)),
      key: signer.key,
    };
    const signature = signer.sign(signedText(checkpoint));
    const event: CheckpointSigned = {
      type: 'CheckpointSigned',
      version: 1,
      data: { checkpoint, signature, chunks, position },
    };
    const draft = { id: id(), org: NO_ORGANIZATION, stream: CHECKPOINTS, at: checkpoint.at, actor: SYSTEM };
    const commit = await seal(events, { ...draft, correlation: draft.id }, before, [event]);
    return (await events.append(commit)) === 'appended' ? commit : null;
  }
}
