import { pieces } from '@assurance/kernel';
import type { Commit, Engines, EventStore } from '@assurance/storage-ports';
import type { ErasedStreams } from '../erasures';
import { findCommit } from '../sealing/read';
import { commitHash } from '../sealing/seal';
import {
  checkpointHash,
  checkpointOf,
  CHECKPOINTS,
  CHUNK_STREAMS,
  chunkOf,
  isErasedPart,
  rootOfStreams,
  type SignedCheckpoint,
  signedText,
  type StreamCheckpoint,
} from './checkpoint';
import { signedBy } from './keys';
import { OmittedPartsTally } from './omitted-parts';
import { rootOf } from './merkle';

const PAGE = 50;
/** How many streams are checked at once. */
const AT_ONCE = 32;

/** Is called with each fault. If `seq` is null, the fault concerns the whole stream. */
export type OnFault = (stream: string, seq: number | null, fault: string) => void;

export interface VerifyOptions {
  /** Public keys of the installation's secrets. One of them must have signed the newest checkpoint. */
  readonly keys: readonly string[];
  /** The hash of a checkpoint that was noted elsewhere. It must be among the checkpoints. */
  readonly noted: string | null;
  readonly onFault: OnFault;
  /** Streams that were erased with their organization. */
  readonly erased: Pick<ErasedStreams, 'has' | 'partsLeftOut'>;
  readonly signal: AbortSignal;
}

/** The results other than faults. */
export interface CheckedCheckpoints {
  readonly checkpoints: number;
  /**
   * SHA-256 of the signed text of the newest checkpoint; null if there is none. It can be compared with a hash that was
   * noted elsewhere.
   */
  readonly newest: string | null;
  /** Whether the checkpoint with the noted hash was found; true if no hash was given. */
  readonly noted: boolean;
  /** The keys that signed the checkpoints. */
  readonly signedWith: readonly string[];
}

/**
 * Verifies the store by its checkpoints: each is signed and follows the previous one, and every commit that it names is unchanged. This
 * reveals a truncated stream, a missing stream and a rewritten chain. Only a noted hash reveals missing checkpoints. One chunk of streams
 * is in memory at a time.
 */
export async function verifyCheckpoints(
  engines: Pick<Engines, 'events' | 'documents'>,
  { keys, noted, onFault, erased, signal }: VerifyOptions,
): Promise<CheckedCheckpoints> {
  const { events } = engines;
  const leftOut = new OmittedPartsTally();
  let before: SignedCheckpoint | null = null;
  let hasNoted = noted === null;
  const signedWith = new Set<string>();
  for (let from = 1; ;) {
    const page = await events.read(CHECKPOINTS, from, PAGE);
    for (const commit of page) {
      signal.throwIfAborted();
      from = commit.seq + 1;
      const signedCheckpoint = await checkpointOf(events, commit);
      if (signedCheckpoint === null) {
        onFault(CHECKPOINTS, commit.seq, 'it is no checkpoint, or what it says is gone');
        continue;
      }
      for (const fault of faultsOf(signedCheckpoint, commit, before)) onFault(CHECKPOINTS, commit.seq, fault);
      await checkChunks(engines, signedCheckpoint, { erased, leftOut, onFault });
      signedWith.add(signedCheckpoint.checkpoint.key);
      hasNoted ||= checkpointHash(signedCheckpoint.checkpoint) === noted;
      before = signedCheckpoint;
    }
    if (page.length < PAGE) break;
  }
  for (const organization of leftOut.findDifferences((name) => erased.partsLeftOut(name)))
    onFault(
      CHECKPOINTS,
      null,
      `they leave out streams as erased with ${organization}, of which no signed record says so`,
    );
  if (before === null) return { checkpoints: 0, newest: null, noted: hasNoted, signedWith: [] };
  const { number, key } = before.checkpoint;
  if (!keys.includes(key))
    onFault(CHECKPOINTS, number, 'the newest checkpoint is signed with no key of this installation');
  return {
    checkpoints: number,
    newest: checkpointHash(before.checkpoint),
    noted: hasNoted,
    signedWith: [...signedWith],
  };
}

function faultsOf(
  { checkpoint, signature, chunks }: SignedCheckpoint,
  { seq }: Commit,
  before: SignedCheckpoint | null,
) {
  const { number, previous, key, root, streams } = checkpoint;
  const follows = before === null ? null : checkpointHash(before.checkpoint);
  const size = Math.ceil(streams / CHUNK_STREAMS);
  return [
    ...(number === seq && previous === follows ? [] : ['it does not follow the checkpoint before it']),
    ...(signedBy(key, signedText(checkpoint), signature) ? [] : ['its signature is not that of its key']),
    ...(size > 0 && chunks.length === size && rootOf(chunks.map((chunk) => chunk.root)) === root
      ? []
      : ['its root is not that of its parts']),
  ];
}

async function checkChunks(
  engines: Pick<Engines, 'events' | 'documents'>,
  { checkpoint, chunks }: SignedCheckpoint,
  { erased, leftOut, onFault }: Pick<VerifyOptions, 'erased' | 'onFault'> & { readonly leftOut: OmittedPartsTally },
) {
  for (const chunk of chunks) {
    const parts = await chunkOf(engines, chunk);
    if (parts === null || rootOfStreams(parts) !== chunk.root) {
      onFault(CHECKPOINTS, checkpoint.number, 'what it says of streams is gone, or was changed');
      continue;
    }
    leftOut.count(parts);
    for (const some of pieces(parts, AT_ONCE)) {
      await Promise.all(
        some.map(async (part) => {
          if (isErasedPart(part)) return;
          const fault = await faultAt(engines.events, part, erased);
          if (fault !== null) onFault(part.stream, part.seq, `${fault}, says checkpoint ${checkpoint.number}`);
        }),
      );
    }
  }
}

/** The fault of a commit that a checkpoint names; null if it is unchanged, or was erased with its organization. */
async function faultAt(
  events: EventStore,
  position: StreamCheckpoint,
  erasedStreams: VerifyOptions['erased'],
): Promise<string | null> {
  const { stream, seq, hash } = position;
  const commit = await findCommit(events, stream, seq);
  if (commit !== null)
    return commitHash(commit) === hash ? null : 'it was written anew: it is not the commit that was there';
  if (erasedStreams.has(stream)) return null;
  return (await findCommit(events, stream, 1)) === null
    ? 'its whole stream is gone'
    : 'the end of its stream was cut off';
}
