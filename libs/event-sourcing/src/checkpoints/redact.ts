import type { OmittedParts } from '@assurance/contracts/access/events';
import type { CheckpointChunk } from '@assurance/contracts/events/checkpoint';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import type { Engines } from '@assurance/storage-ports';
import { BrokenRecord, commitsOf } from '../sealing/read';
import {
  checkpointOf,
  type CheckpointPart,
  CHECKPOINTS,
  CHUNK_STREAMS,
  chunkOf,
  isErasedPart,
  redactedChunks,
  streamCheckpointHash,
} from './checkpoint';
import { OmittedPartsTally } from './omitted-parts';

/** More bytes than the text of a chunk can have. The id of a stream has at most 1,024 bytes. */
const CHUNK_BYTES_MAX = CHUNK_STREAMS * 2_048;

type Stores = Pick<Engines, 'events' | 'documents'>;

/**
 * Removes the ids of an organization's streams from all checkpoints. The hash of each part stays, so signatures,
 * roots and the proofs of other streams remain valid. It may be stopped at any point and run again.
 *
 * @param isErased whether a stream was erased with the organization
 * @returns all parts that are now omitted, for the signed record
 * @throws BrokenRecord when a checkpoint is damaged
 */
export async function redactCheckpoints(
  stores: Stores,
  organization: string,
  isErased: (stream: string) => boolean,
  signal: AbortSignal,
): Promise<OmittedParts> {
  const leftOut = new OmittedPartsTally();
  for await (const commit of commitsOf(stores.events, CHECKPOINTS)) {
    signal.throwIfAborted();
    const signedCheckpoint = await checkpointOf(stores.events, commit);
    for (const chunk of signedCheckpoint?.chunks ?? []) {
      const before = await chunkOf(stores, chunk);
      if (before === null) throw new BrokenRecord(`what checkpoint ${commit.seq} says of streams is gone`);
      const after = before.map((part) => {
        if (isErasedPart(part) || !isErased(part.stream)) return part;
        return { erased: organization, hash: streamCheckpointHash(part) };
      });
      if (after.some((part, i) => part !== before[i])) await write(stores, chunk, after);
      // A process that was killed may have left the text behind.
      if (after.some(isErasedPart)) await stores.events.removeData(NO_ORGANIZATION, chunk.digest, CHUNK_BYTES_MAX);
      leftOut.count(after);
    }
  }
  return leftOut.of(organization);
}

async function write({ documents }: Stores, { digest }: CheckpointChunk, parts: readonly CheckpointPart[]) {
  await documents.collection(redactedChunks).write([{ kind: 'put', id: digest, doc: { parts } }]);
  await documents.persist();
}
