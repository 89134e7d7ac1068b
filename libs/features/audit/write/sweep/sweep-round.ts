import type { CollectionDefinition } from '@assurance/storage-ports';

/**
 * The progress of a round. It first marks the blobs that attestations reference, then checks the blobs of organizations, then those of interrupted
 * puts.
 */
export type SweepPosition =
  | { readonly phase: 'noting'; readonly after: string | null }
  | { readonly phase: 'finding'; readonly orgs: string | null }
  | {
      readonly phase: 'sweeping';
      readonly org: string;
      readonly after: string | null;
      /** Where the next organization begins; null: this is the last one. */
      readonly orgs: string | null;
    }
  | { readonly phase: 'broken'; readonly after: string | null }
  | { readonly phase: 'done' };

/** The newest round of the sweep. */
export interface Round {
  readonly number: number;
  /** Integer milliseconds. */
  readonly begunAt: number;
  readonly place: SweepPosition;
}

export const rounds: CollectionDefinition<Round> = { name: 'blob_rounds', indexes: [] };
/** The id of the one document of `rounds`. */
export const ROUND_ID = 'newest';

/** The mark on a blob that an attestation references, with the last round that saw the reference. */
interface BlobMark {
  readonly round: number;
}

export const blobMarks: CollectionDefinition<BlobMark> = { name: 'named_blobs', indexes: [] };

/** The organization comes last, because it may contain any characters. */
export function blobMarkId(org: string, sha256: string): string {
  return `${sha256}/${org}`;
}

/** The shortest and the longest pause between two sweeps (milliseconds). */
export const PAUSE_MIN_MS = 3_600_000;
export const PAUSE_MAX_MS = 24 * 3_600_000;
/** The pause is this many times as long as the sweep before it, because a sweep reads every attestation. */
const PAUSE_FACTOR = 50;

/** The pause after a sweep with this duration (milliseconds). */
export function pauseAfter(tookMs: number): number {
  return Math.min(Math.max(tookMs * PAUSE_FACTOR, PAUSE_MIN_MS), PAUSE_MAX_MS);
}
