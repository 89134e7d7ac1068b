/** A stored blob's facts. */
export interface BlobInfo {
  /** 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** The result of a put. */
export interface StoredBlob extends BlobInfo {
  /** False when the organization had this content already. */
  readonly added: boolean;
  /** Integer milliseconds; every later put of the same content gets a larger one, whatever the clock shows. */
  readonly revision: number;
}

/** The result of one piece of a sweep. */
export interface SweepResult {
  /** Where the next piece begins; null at the end. */
  readonly next: string | null;
  /** Bytes of the blobs that it removed. */
  readonly bytes: number;
}

/** The result of one piece of a move. */
export interface Moved {
  /** Where the next piece begins; null at the end. */
  readonly next: string | null;
  /** How many blobs are in the new store now and no longer in the old one. */
  readonly blobs: number;
  /** Digests of blobs that stay in the old store, because their content there is another. */
  readonly damaged: readonly string[];
}

/** Bounds of one piece of a sweep. */
export interface SweepPiece {
  /** The end of the previous piece; null: the beginning. */
  readonly after: string | null;
  /** The most that are looked at. */
  readonly limit: number;
  /** Integer milliseconds, by the clock of puts: later puts stay. */
  readonly before: number;
  /** Removes the content at once: a reader of it may fail. Without it a reader who has begun gets the rest. */
  readonly atOnce?: boolean;
}

/**
 * How long a put may take where other processes sweep (milliseconds). Sweeps skip files that are younger than an hour.
 */
export const PUT_MAX_MS = 1_800_000;

/**
 * Evidence and other large content, by SHA-256, once for each organization.
 *
 * A put streams and is durable when it resolves. An interrupted put leaves nothing readable and blocks no later put of the same content.
 * Two concurrent puts of the same content both succeed.
 */
export interface Blobs {
  /**
   * @param limit the most bytes; one more ends the put
   * @throws BlobTooLarge when the content is longer than `limit`
   * @throws StoreFull
   * @throws StoreUnavailable also when the put took longer than `PUT_MAX_MS`, and a sweep may have taken it for a broken one
   */
  put(org: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob>;
  /**
   * Removes a blob unless it was put again since the given put: for content of a refused request. Atomic against puts of the same
   * content in all processes: a later put keeps its content.
   *
   * @param revision of the last put that the caller knows
   * @returns whether the blob was removed
   */
  withdraw(org: string, sha256: string, revision: number): Promise<boolean>;
  stat(org: string, sha256: string): Promise<BlobInfo | null>;
  /** The content in pieces; null when this organization put no such blob, and when its content is lost. */
  open(org: string, sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  /**
   * Whether this organization put a blob whose content is no longer where it was put, as in a bucket that was restored to an earlier moment. Putting
   * the same content again brings it back. Absent where content is lost only together with what `stat` tells of it.
   */
  lost?(org: string, sha256: string): Promise<boolean>;
  /** Every blob of an organization that was put before, once, in any order; concurrent puts may be included. */
  list(org: string): AsyncIterable<BlobInfo>;
  /**
   * Removes one piece of the blobs of an organization that were last put before a time and are not referenced. A concurrent put of the
   * same content makes the blob new again, so the content of a put stays until a later sweep finds it old. Nobody can open a removed blob. A
   * reader who has its first piece gets the rest, until `sweepBroken` is given a time after the removal.
   *
   * @param named gets up to `limit` old digests and returns those that stay
   */
  sweep(
    org: string,
    piece: SweepPiece,
    named: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<SweepResult>;
  /**
   * Removes one piece of the leftovers of puts that were interrupted before a time, of all organizations, and the content that sweeps left to
   * readers before that time. Nobody can open either.
   *
   * @returns where the next piece begins; null at the end
   */
  sweepBroken(piece: SweepPiece): Promise<string | null>;
  /**
   * Takes blobs of an organization from the store that is read beside the one that puts go to, and removes them there:
   * one piece of them, of what was put there before a time. They remain readable during the move. Absent where there is
   * one store.
   */
  move?(org: string, piece: SweepPiece): Promise<Moved>;
}
