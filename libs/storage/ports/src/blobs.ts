/** A stored blob's facts. */
export interface BlobInfo {
  /** 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** What a put stored. */
export interface StoredBlob extends BlobInfo {
  /** False when the organization had this content already. */
  readonly added: boolean;
  /** Integer milliseconds; every later put of the same content gets a larger one, whatever the clock shows. */
  readonly stamp: number;
}

/** What one piece of a sweep did. */
export interface Swept {
  /** Where the next piece begins; null at the end. */
  readonly next: string | null;
  /** Bytes of the blobs that it removed. */
  readonly bytes: number;
}

/** What one piece of a move did. */
export interface Moved {
  /** Where the next piece begins; null at the end. */
  readonly next: string | null;
  /** How many blobs are in the new store now and no longer in the old one. */
  readonly blobs: number;
  /** Digests of blobs that stay in the old store, because their content there is another. */
  readonly damaged: readonly string[];
}

/** How far one look of a sweep goes. */
export interface SweepPiece {
  /** Where the piece before ended; null: at the beginning. */
  readonly after: string | null;
  /** The most that are looked at. */
  readonly limit: number;
  /** Integer milliseconds, by the clock of puts: what was put since then stays. */
  readonly before: number;
}

/**
 * Evidence and other large content, by SHA-256, once per organization.
 *
 * A put streams; a put that breaks off leaves nothing that can be read and blocks no later put of the same content; two puts of the same content
 * at once both succeed. Durable when it resolves.
 */
export interface Blobs {
  /**
   * @param limit the most bytes; one more ends the put
   * @throws BlobTooLarge when the content is longer than `limit`
   * @throws StoreFull
   */
  put(org: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob>;
  /**
   * Removes a blob that nobody put again since one put of it: for content whose request was refused. Atomic against puts of the same content,
   * of other processes too: what a later put resolved to stays.
   *
   * @param stamp of the last put that the caller knows of
   * @returns whether the blob was removed
   */
  withdraw(org: string, sha256: string, stamp: number): Promise<boolean>;
  stat(org: string, sha256: string): Promise<BlobInfo | null>;
  /** The content in pieces; null when this organization put no such blob. */
  open(org: string, sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Every blob of an organization whose put resolved before, once, in no promised order; those put meanwhile perhaps. */
  list(org: string): AsyncIterable<BlobInfo>;
  /**
   * Removes blobs of an organization that were last put before a time and that nobody names: one piece of them. A put of the same content
   * makes the blob young again, whenever it comes: what a put resolved to is there for as long as no later sweep finds it old.
   *
   * @param named told up to `limit` digests that are old, answers with those that stay
   */
  sweep(
    org: string,
    piece: SweepPiece,
    named: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<Swept>;
  /**
   * Removes what puts left that broke off before a time, such as by a crash: one piece of it, of all organizations. Nothing of it could be read.
   *
   * @returns where the next piece begins; null at the end
   */
  sweepBroken(piece: SweepPiece): Promise<string | null>;
  /**
   * Takes blobs of an organization from the store that is read beside the one that puts go to, and removes them there: one piece of them, of what was
   * put there before a time. They can be read all the while. Absent where there is one store.
   */
  move?(org: string, piece: SweepPiece): Promise<Moved>;
}
