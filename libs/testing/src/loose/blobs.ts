import type { Blobs } from '@assurance/storage-ports';
import type { Loose } from './steps';

/** Content is returned in pieces of other sizes than it was written in. */
export function looseBlobs(blobs: Blobs, { random, step }: Loose): Blobs {
  return {
    ...(blobs.isLost === undefined ? {} : { isLost: blobs.isLost.bind(blobs) }),
    ...(blobs.move === undefined ? {} : { move: blobs.move.bind(blobs) }),
    async put(org, content, limit) {
      await step('blobs.put');
      const info = await blobs.put(org, content, limit);
      await step('blobs.stored');
      return info;
    },
    async withdraw(org, sha256, revision) {
      await step('blobs.withdraw');
      return blobs.withdraw(org, sha256, revision);
    },
    async stat(org, sha256) {
      await step('blobs.read');
      return blobs.stat(org, sha256);
    },
    async open(org, sha256) {
      await step('blobs.read');
      const content = await blobs.open(org, sha256);
      return content === null ? null : cutIntoPieces(content, random);
    },
    async *list(org) {
      await step('blobs.read');
      yield* blobs.list(org);
    },
    async sweep(org, piece, references) {
      await step('blobs.sweep');
      return blobs.sweep(org, piece, async (digests) => {
        const referenced = await references(digests);
        await step('blobs.sweep');
        return referenced;
      });
    },
    async sweepBroken(piece) {
      await step('blobs.sweep');
      return blobs.sweepBroken(piece);
    },
  };
}

async function* cutIntoPieces(content: AsyncIterable<Uint8Array>, random: () => number): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    const at = Math.floor(random() * piece.length);
    if (at > 0) yield piece.subarray(0, at);
    yield piece.subarray(at);
  }
}
