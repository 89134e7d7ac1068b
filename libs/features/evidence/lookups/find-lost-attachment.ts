import type { Attachment } from '@assurance/contracts/evidence/events';
import type { Blobs } from '@assurance/storage-ports';

/** How many attachments are checked at once. Each check takes a round trip to an object store. */
const AT_ONCE = 32;
/** How many attachments are checked before an answer begins. The answer aborts if the content of a further one is lost. */
const LOOKED_FOR_MAX = 2_000;

/**
 * Returns the first attachment that is missing in the attachment store, or null if all exist. Attachments are missing if the store was restored to an
 * earlier moment than the records. Call it before an answer begins, because an archive that has begun can only abort.
 */
export async function findLostAttachment<Found extends Pick<Attachment, 'sha256'>>(
  blobs: Pick<Blobs, 'stat' | 'isLost'>,
  org: string,
  attachments: readonly Found[],
): Promise<Found | null> {
  const once = new Map(attachments.map((attachment) => [attachment.sha256, attachment]));
  const waiting = once.values().take(LOOKED_FOR_MAX);
  const lost = new Set<string>();
  const look = async () => {
    for (let next = waiting.next(); next.done !== true && lost.size === 0; next = waiting.next()) {
      const { sha256 } = next.value;
      const isThere = (await blobs.stat(org, sha256)) !== null && (await blobs.isLost?.(org, sha256)) !== true;
      if (!isThere) lost.add(sha256);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return once.values().find(({ sha256 }) => lost.has(sha256)) ?? null;
}
