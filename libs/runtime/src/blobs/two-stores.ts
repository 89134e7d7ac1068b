import type { BlobInfo, Blobs, SweepPiece } from '@assurance/storage-ports';

/** The prefix of a position in the first or second store, so that a scan continues where the previous scan ended. */
const [FIRST, SECOND] = ['1', '2'];

/**
 * Combines two stores of blobs. Puts go to the first store. If only the second store has a blob, it is read there until
 * `move` has copied it to the first. A blob in both stores counts once. A sweep skips it, because `move` removes it from
 * the second store.
 */
export function twoStores(first: Blobs, second: Blobs): Blobs {
  /**
   * Asks the first store, then the second. If neither has the blob, it asks the first again, because the blob may have
   * been moved to the first in between.
   */
  const inEither = async <T>(ask: (store: Blobs) => Promise<T | null>) =>
    (await ask(first)) ?? (await ask(second)) ?? (await ask(first));
  const isThere = async (store: Blobs, org: string, sha256: string) =>
    (await store.stat(org, sha256)) !== null && (await store.isLost?.(org, sha256)) !== true;
  return {
    async put(org, content, limit) {
      const storedBlob = await first.put(org, content, limit);
      return storedBlob.added && (await second.stat(org, storedBlob.sha256)) !== null
        ? { ...storedBlob, added: false }
        : storedBlob;
    },

    async withdraw(org, sha256, revision) {
      return (await first.withdraw(org, sha256, revision)) && (await second.stat(org, sha256)) === null;
    },

    stat: (org, sha256) => inEither((store) => store.stat(org, sha256)),

    open: (org, sha256) =>
      inEither(async (store) => {
        const content = await store.open(org, sha256);
        return content === null || store === first ? content : readWithFallback(content, () => first.open(org, sha256));
      }),

    async isLost(org, sha256) {
      const blob = await inEither((store) => store.stat(org, sha256));
      if (blob === null) return false;
      return !(await isThere(first, org, sha256)) && !(await isThere(second, org, sha256));
    },

    async *list(org) {
      // Lists the second store before the first, so that a blob that is being moved appears in one of them.
      const seenDigests = new Set<string>();
      for await (const info of second.list(org)) {
        seenDigests.add(info.sha256);
        yield info;
      }
      for await (const info of first.list(org)) if (!seenDigests.has(info.sha256)) yield info;
    },

    async sweep(org, piece, isNamed) {
      const { store, other, rest } = placeOf(piece);
      const swept = await store.sweep(org, rest, async (digests) => {
        const retainedDigests = new Set(await isNamed(digests));
        for (const sha256 of digests) {
          if (!retainedDigests.has(sha256) && (await other.stat(org, sha256)) !== null) retainedDigests.add(sha256);
        }
        return retainedDigests;
      });
      return { ...swept, next: nextOf(store, swept.next) };
    },

    async sweepBroken(piece) {
      const { store, rest } = placeOf(piece);
      return nextOf(store, await store.sweepBroken(rest));
    },

    async move(org, piece) {
      let blobs = 0;
      const damagedDigests: string[] = [];
      // A sweep removes each blob that the callback does not keep. Here the callback keeps blobs that could not be copied
      // to the first store. `atOnce` is safe because readers continue in the first store.
      const { next } = await second.sweep(org, { ...piece, atOnce: true }, async (digests) => {
        const uncopiedDigests = new Set<string>();
        for (const sha256 of digests) {
          if (await copyBlob(org, sha256)) blobs += 1;
          else uncopiedDigests.add(sha256);
        }
        damagedDigests.push(...uncopiedDigests);
        return uncopiedDigests;
      });
      return { next, blobs, damaged: damagedDigests };
    },
  };

  function placeOf({ after, ...piece }: SweepPiece) {
    const [store, other] = after?.startsWith(SECOND) === true ? [second, first] : [first, second];
    return { store, other, rest: { ...piece, after: after === null ? null : after.slice(1) || null } };
  }

  function nextOf(store: Blobs, next: string | null): string | null {
    if (next !== null) return `${store === first ? FIRST : SECOND}${next}`;
    return store === first ? SECOND : null;
  }

  /** Copies a blob of the second store to the first, if it is missing there. False if the content has another digest. */
  async function copyBlob(org: string, sha256: string): Promise<boolean> {
    if (await isThere(first, org, sha256)) return true;
    const info: BlobInfo | null = await second.stat(org, sha256);
    const content = info === null ? null : await second.open(org, sha256);
    // A sweep has removed the blob, so there is nothing to move.
    if (info === null || content === null) return true;
    const storedBlob = await first.put(org, content, info.size);
    if (storedBlob.sha256 === sha256) return true;
    await first.withdraw(org, storedBlob.sha256, storedBlob.revision);
    return false;
  }
}

/** Reads content. If the read fails, it continues at the same byte in the other store, if that has the content. */
async function* readWithFallback(
  content: AsyncIterable<Uint8Array>,
  readElsewhere: () => Promise<AsyncIterable<Uint8Array> | null>,
): AsyncGenerator<Uint8Array> {
  let bytesRead = 0;
  try {
    for await (const piece of content) {
      bytesRead += piece.length;
      yield piece;
    }
  } catch (error) {
    const others = await readElsewhere();
    if (others === null) throw error;
    for await (const piece of others) {
      const skipped = Math.min(bytesRead, piece.length);
      bytesRead -= skipped;
      if (skipped < piece.length) yield piece.subarray(skipped);
    }
  }
}
