import type { Attachment } from '@assurance/contracts/evidence/events';
import type { Blobs } from '@assurance/storage-ports';

/** How many are looked for at a time. */
const AT_ONCE = 8;

/**
 * The first attachment whose content the store of attachments does not have, as after the store was restored to an earlier moment than the records; null
 * when all are there. Asked before an answer begins, because an archive that has begun can only break off.
 */
export async function lostAttachment<Found extends Pick<Attachment, 'sha256'>>(
  blobs: Pick<Blobs, 'stat' | 'lost'>,
  org: string,
  attachments: readonly Found[],
): Promise<Found | null> {
  const once = [...new Map(attachments.map((one) => [one.sha256, one])).values()];
  for (let from = 0; from < once.length; from += AT_ONCE) {
    const some = once.slice(from, from + AT_ONCE);
    const lost = await Promise.all(
      some.map(
        async ({ sha256 }) => (await blobs.stat(org, sha256)) === null || (await blobs.lost?.(org, sha256)) === true,
      ),
    );
    const found = some.find((_, i) => lost[i]);
    if (found !== undefined) return found;
  }
  return null;
}
