import type { DomainEvent } from './event';

/** The signed content of a checkpoint: the canonical JSON of this object. */
export interface Checkpoint {
  /** From 1, without gaps. */
  readonly number: number;
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** SHA-256 of what was signed before it, null for the first. */
  readonly previous: string | null;
  /** How many streams had changed since then. */
  readonly streams: number;
  /** The Merkle root over all that had changed, sorted by stream. */
  readonly root: string;
  /** The Ed25519 public key that it is signed with: 32 bytes as base64url. */
  readonly key: string;
}

/** A part of what had changed, in order; its text lies outside the commit, under its digest. */
export interface CheckpointChunk {
  /** The first stream in it. */
  readonly first: string;
  readonly digest: string;
  readonly root: string;
}

/** How far all streams had come that changed since the last checkpoint (`docs/reference/streams.md`). */
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
