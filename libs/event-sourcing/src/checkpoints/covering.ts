import type { Checkpoint } from '@assurance/contracts/events/checkpoint';
import { sha256 } from '@assurance/kernel';
import type { Commit, Engines } from '@assurance/storage-ports';
import { commitsOf } from '../sealing/read';
import {
  checkpointOf,
  CHECKPOINTS,
  chunkOf,
  isErasedPart,
  type SignedCheckpoint,
  type StreamCheckpoint,
  streamCheckpointHash,
} from './checkpoint';
import { pathOf, type Step } from './merkle';

/** By how much a checkpoint may seem older than a commit that it covers, because clocks differ (milliseconds). */
const SKEW_MS = 10 * 60_000;

/** The proof that a checkpoint contains a stream's commit. It does not reveal the checkpoint's other streams. */
export interface InclusionProof {
  readonly checkpoint: Checkpoint;
  readonly signature: string;
  /** The commit of the stream that the checkpoint contains: the requested one, or a later one. */
  readonly reached: StreamCheckpoint;
  /** The path from the hash of `reached` to the checkpoint's root. */
  readonly path: readonly Step[];
}

/**
 * The proof from the first checkpoint that covers a commit of a stream; null while there is no such checkpoint.
 *
 * @throws StoreUnavailable
 */
export async function checkpointCovering(
  engines: Pick<Engines, 'events' | 'documents'>,
  { stream, seq, at }: Commit,
): Promise<InclusionProof | null> {
  const { events } = engines;
  const before = await events.asOf(CHECKPOINTS, at - SKEW_MS);
  for await (const commit of commitsOf(events, CHECKPOINTS, before?.seq)) {
    const signedCheckpoint = await checkpointOf(events, commit);
    const proof = signedCheckpoint === null ? null : await proveInclusion(engines, signedCheckpoint, stream, seq);
    if (proof !== null) return proof;
  }
  return null;
}

async function proveInclusion(
  engines: Pick<Engines, 'events' | 'documents'>,
  { checkpoint, signature, chunks }: SignedCheckpoint,
  stream: string,
  seq: number,
): Promise<InclusionProof | null> {
  const digest = sha256(stream);
  // Earlier releases sorted by the ids, not by their digests.
  const number = chunks.findLastIndex(({ first }) => first <= (first.includes('/') ? stream : digest));
  const chunk = chunks[number];
  const all = chunk === undefined ? null : await chunkOf(engines, chunk);
  const index = all?.findIndex((part) => !isErasedPart(part) && part.stream === stream && part.seq >= seq) ?? -1;
  const reached = all?.[index];
  if (all === null || reached === undefined || isErasedPart(reached)) return null;
  const inside = pathOf(all.map(streamCheckpointHash), index);
  const roots = chunks.map(({ root }) => root);
  const above = pathOf(roots, number);
  return { checkpoint, signature, reached, path: [...inside, ...above] };
}
