/** A stored blob's facts. */
export interface BlobInfo {
  /** 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
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
  put(org: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<BlobInfo>;
  stat(org: string, sha256: string): Promise<BlobInfo | null>;
  /** The content in pieces; null when this organization put no such blob. */
  open(org: string, sha256: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Every blob of an organization whose put resolved before, once, in no promised order; those put meanwhile perhaps. */
  list(org: string): AsyncIterable<BlobInfo>;
}
