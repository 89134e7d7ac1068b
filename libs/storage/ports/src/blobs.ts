/** Digest and size of a stored blob. */
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
  /** Integer milliseconds. Every later put of the same content gets a larger value, even if the clock goes back. */
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
export interface MoveResult {
  /** Where the next piece begins; null at the end. */
  readonly next: string | null;
  /** How many blobs are in the new store now and no longer in the old one. */
  readonly blobs: number;
  /** Digests of blobs that stay in the old store because their content there does not have this digest. */
  readonly damaged: readonly string[];
}

/** Bounds of one piece of a sweep. */
export interface SweepPiece {
  /** The end of the previous piece; null: the beginning. */
  readonly after: string | null;
  /** The most entries that the piece examines. */
  readonly limit: number;
  /** Integer milliseconds, by the clock of puts. The content of later puts stays. */
  readonly before: number;
  /** Removes the content at once, so its readers may fail. Otherwise a reader that has begun gets the rest. */
  readonly atOnce?: boolean;
}

/**
 * How long a put may take if other processes sweep (milliseconds). Sweeps skip files that are younger than an hour.
 */
export const PUT_MAX_MS = 1_800_000;

/**
 * Stores evidence and other large content by SHA-256, once for each organization.
 *
 * A put streams and is durable when it resolves. An interrupted put leaves nothing readable and blocks no later put of the same content.
 * Two concurrent puts of the same content both succeed.
 */
export interface Blobs {
  /**
   * @param limit the most bytes; one more ends the put
   * @throws BlobTooLarge when the content is longer than `limit`
   * @throws StoreFull
   * @throws StoreUnavailable also if the put took longer than `PUT_MAX_MS`, because a sweep may have treated it as interrupted
   */
  put(org: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob>;
  /**
   * Removes a blob unless it was put again since the given put. Use it for content of a refused request. It is atomic against puts of the
   * same content in all processes: a later put keeps its content.
   *
   * @param revision of the last put that the caller knows
   * @returns whether the blob was removed
   */
  withdraw(org: string, sha256: string, revision: number): Promise<boolean>;
  stat(org: string, sha256: string): Promise<BlobInfo | null>;
  /** The content in pieces; null if this organization put no such blob, or if its content is lost. */
  open(org: string, sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  /**
   * Whether this organization put a blob but its content is gone, for example because a bucket was restored to an earlier moment. Putting the same
   * content again restores it. Absent if content can be lost only together with the information that `stat` returns.
   */
  isLost?(org: string, sha256: string): Promise<boolean>;
  /** Every blob that the organization put before the call, once, in any order. Concurrent puts may be included. */
  list(org: string): AsyncIterable<BlobInfo>;
  /**
   * Removes old blobs of an organization that are not referenced, one piece in each call. A blob is old if its last put was before a time. A
   * concurrent put of the same content makes the blob new again, so its content stays until a later sweep finds it old. Nobody can open a
   * removed blob. A reader that already has the first piece gets the rest, until `sweepBroken` is called with a time after the removal.
   *
   * @param isNamed gets up to `limit` digests of old blobs and returns the digests that stay
   */
  sweep(
    org: string,
    piece: SweepPiece,
    isNamed: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<SweepResult>;
  /**
   * Removes the leftovers of puts that were interrupted before a time, in all organizations, one piece in each call. It also removes content that
   * sweeps kept for readers before that time. Nobody can open either.
   *
   * @returns where the next piece begins; null at the end
   */
  sweepBroken(piece: SweepPiece): Promise<string | null>;
  /**
   * Moves blobs of an organization from the old store to the store that puts use, one piece in each call. It moves blobs
   * that were put into the old store before a time. They remain readable during the move. Absent if there is only one
   * store.
   */
  move?(org: string, piece: SweepPiece): Promise<MoveResult>;
}
