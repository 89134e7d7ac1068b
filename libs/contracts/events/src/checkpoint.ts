import type { DomainEvent } from './event';

/** What is signed of a checkpoint: the canonical JSON of this. */
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
export type CheckpointSigned = DomainEvent<
  'CheckpointSigned',
  1,
  {
    readonly checkpoint: Checkpoint;
    /** Base64url. */
    readonly signature: string;
    readonly chunks: readonly CheckpointChunk[];
    /** Where the store's changes go on after all that is covered; null while what was there before the first is taken in. */
    readonly position: string | null;
  }
>;
