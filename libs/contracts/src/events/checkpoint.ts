import type { DomainEvent } from './event';

/** The signed content of a checkpoint. The canonical JSON of this object is signed. */
export interface Checkpoint {
  /** Starts at 1, without gaps. */
  readonly number: number;
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of the previous signed content; null for the first. */
  readonly previous: string | null;
  /** How many streams have changed since then. */
  readonly streams: number;
  /** The Merkle root over all changed streams, sorted by stream. */
  readonly root: string;
  /** The Ed25519 public key for the signature: 32 bytes as base64url. */
  readonly key: string;
}

/** A part of the sorted list of changed streams. Its text is outside the commit, under its digest. */
export interface CheckpointChunk {
  /** The first stream in this part. */
  readonly first: string;
  readonly digest: string;
  readonly root: string;
}

/** The positions of all streams that changed since the last checkpoint (`docs/reference/streams.md`). */
export interface CheckpointSigned extends DomainEvent<'CheckpointSigned', 1> {
  readonly data: {
    readonly checkpoint: Checkpoint;
    /** Base64url. */
    readonly signature: string;
    readonly chunks: readonly CheckpointChunk[];
    /** The position in the store's changes after all covered commits. Null while the first checkpoint still collects existing commits. */
    readonly position: string | null;
  };
}
