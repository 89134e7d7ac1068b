import type { DomainEvent } from '@assurance/contracts/events/event';
import { byteLength, canonicalDeepInSlices, canonicalJson, canonicalJsonInSlices, sha256 } from '@assurance/kernel';
import type { Commit, CommitIndex, EventStore, StoredEvent } from '@assurance/storage-ports';

/** Data of more bytes is stored outside its commit. */
export const DATA_INSIDE_MAX = 64 * 1024;
/**
 * Events with data that is always stored outside the commit: verdicts, and parts of lists of components, findings and vulnerabilities. Different
 * lists have mostly equal parts.
 */
const OUTSIDE: ReadonlySet<string> = new Set([
  'VerdictsKept',
  'ComponentsListed',
  'FindingsListed',
  'VulnerabilitiesListed',
]);
/** Events with arbitrary content, which may be large at any depth. */
const DEEP: ReadonlySet<string> = new Set(['AttestationPayloadKept']);
/**
 * The most data inside one commit, in the escaped form of the commit's JSON. It is below the limit of a commit, because
 * the other fields need space too.
 */
const DATA_INSIDE_TOTAL = 160 * 1024;

/** The fields of a commit besides its events. */
export interface CommitDraft {
  readonly id: string;
  readonly org: string;
  readonly stream: string;
  readonly at: number;
  readonly actor: string;
  readonly correlation: string;
  readonly index?: CommitIndex;
}

/** SHA-256 of a commit's RFC 8785 JSON without `data`. It covers the data by its digest, so data can be removed later. */
export function commitHash(commit: Commit): string {
  const cachedHash = hashes.get(commit);
  if (cachedHash !== undefined) return cachedHash;
  const hash = sha256(canonicalJson({ ...commit, events: commit.events.map(({ data: _, ...rest }) => rest) }));
  hashes.set(commit, hash);
  return hash;
}

/**
 * Caches hashes. Commits never change, and each is hashed twice: for its own position, and as `prev` of the next commit.
 */
const hashes = new WeakMap<Commit, string>();

/**
 * Makes the commit that follows `before`. First it stores data that is too large for the commit, so that `readData` finds it.
 *
 * @param before the stream's newest commit, null for a new stream
 */
export async function seal(
  store: Pick<EventStore, 'putData'>,
  draft: CommitDraft,
  before: Commit | null,
  events: readonly DomainEvent[],
): Promise<Commit> {
  let bytesInside = 0;
  const storedEvents: StoredEvent[] = [];
  for (const { type, version, data } of events) {
    const text = await (DEEP.has(type) ? canonicalDeepInSlices(data) : canonicalJsonInSlices(data));
    const size = byteLength(text);
    const inlineBytes = OUTSIDE.has(type) || size > DATA_INSIDE_MAX ? null : byteLength(JSON.stringify(text));
    if (inlineBytes === null || bytesInside + inlineBytes > DATA_INSIDE_TOTAL) {
      storedEvents.push({ type, version, digest: await store.putData(draft.org, text), size });
    } else {
      bytesInside += inlineBytes;
      storedEvents.push({ type, version, digest: sha256(text), size, data: text });
    }
  }
  const { index, ...rest } = draft;
  return {
    ...rest,
    seq: (before?.seq ?? 0) + 1,
    prev: before === null ? null : commitHash(before),
    ...(index === undefined ? {} : { index }),
    events: storedEvents,
  };
}
