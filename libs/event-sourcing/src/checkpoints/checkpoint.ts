import type { Checkpoint, CheckpointChunk, CheckpointSigned } from '@assurance/contracts/events/checkpoint';
import { NO_ORGANIZATION, streams } from '@assurance/contracts/events/streams';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { CollectionDefinition, Commit, Engines, EventStore } from '@assurance/storage-ports';
import { leafHash, rootOf } from './merkle';

export const CHECKPOINTS = streams.checkpoints;

/** The state of a stream at a checkpoint: the seq and the hash of its newest commit. */
export interface StreamCheckpoint {
  readonly stream: string;
  readonly seq: number;
  readonly hash: string;
}

/** Replaces the part of a stream of an erased organization. The hash of the part is still needed to compute the root. */
export interface ErasedPart {
  /** Id of the organization. */
  readonly erased: string;
  readonly hash: string;
}

/** The entry of one stream in a checkpoint. */
export type CheckpointPart = StreamCheckpoint | ErasedPart;

export function isErasedPart(part: CheckpointPart): part is ErasedPart {
  return 'erased' in part;
}

/** Replaces the text of a chunk in which some parts are erased. The document's id is still the digest of the text. */
export const redactedChunks: CollectionDefinition<{ readonly parts: readonly CheckpointPart[] }> = {
  name: 'redacted_chunks',
  indexes: [],
};

/** The data of the event that stores a checkpoint. */
export type SignedCheckpoint = CheckpointSigned['data'];

/** How many streams a chunk holds. It is a power of two, so that the root of all streams can be computed from the roots of the chunks. */
export const CHUNK_STREAMS = 1_024;

export function signedText(checkpoint: Checkpoint): string {
  return canonicalJson(checkpoint);
}

export function checkpointHash(checkpoint: Checkpoint): string {
  return sha256(signedText(checkpoint));
}

/** The hash of a stream's part in a checkpoint. */
export function streamCheckpointHash(part: CheckpointPart): string {
  if (isErasedPart(part)) return part.hash;
  const { stream, seq, hash } = part;
  return leafHash(canonicalJson({ stream, seq, hash }));
}

export function rootOfStreams(parts: readonly CheckpointPart[]): string {
  return rootOf(parts.map(streamCheckpointHash));
}

/** Reads the checkpoint from a commit of the checkpoint stream; null if the commit has none, or its data is missing. */
export async function checkpointOf(
  events: Pick<EventStore, 'readData'>,
  { org, events: [event] }: Commit,
): Promise<SignedCheckpoint | null> {
  const text = event === undefined ? null : (event.data ?? (await events.readData(org, event.digest)));
  const signedCheckpoint = parseJson(text) as Partial<SignedCheckpoint> | null;
  return signedCheckpoint?.checkpoint === undefined || signedCheckpoint.chunks === undefined
    ? null
    : (signedCheckpoint as SignedCheckpoint);
}

/** Reads a chunk; null if its text is missing or was changed. If parts were erased, only the root shows whether the other parts were changed. */
export async function chunkOf(
  { events, documents }: Pick<Engines, 'events' | 'documents'>,
  { digest }: CheckpointChunk,
): Promise<readonly CheckpointPart[] | null> {
  const text = await events.readData(NO_ORGANIZATION, digest);
  if (text === null) return (await documents.collection(redactedChunks).get(digest))?.parts ?? null;
  const parsed = sha256(text) === digest ? parseJson(text) : null;
  return Array.isArray(parsed) && parsed.length > 0 ? (parsed as StreamCheckpoint[]) : null;
}

/** Parses JSON that may have been changed; null if it is not JSON. */
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
