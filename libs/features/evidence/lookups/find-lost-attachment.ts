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
  const attachmentsByDigest = new Map(attachments.map((attachment) => [attachment.sha256, attachment]));
  const candidates = attachmentsByDigest.values().take(LOOKED_FOR_MAX);
  const lostDigests = new Set<string>();
  const look = async () => {
    for (let next = candidates.next(); next.done !== true && lostDigests.size === 0; next = candidates.next()) {
      const { sha256 } = next.value;
      const isThere = (await blobs.stat(org, sha256)) !== null && (await blobs.isLost?.(org, sha256)) !== true;
      if (!isThere) lostDigests.add(sha256);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return attachmentsByDigest.values().find(({ sha256 }) => lostDigests.has(sha256)) ?? null;
}
