import type { Attachment } from '@assurance/contracts-events';
import type { Blobs } from '@assurance/storage-ports';
import { contentOf } from '@assurance/storage-records';
import type { TarFile } from '@assurance/tar';

/** The files of an attestation. */
export interface Evidence {
  /** When it was attested, in integer milliseconds: the time of every file. */
  readonly at: number;
  readonly files: readonly TarFile[];
}

/** The attachments as files, under names that are safe to unpack. A number distinguishes equal names. */
export function evidenceFiles(blobs: Pick<Blobs, 'open'>, org: string, attachments: readonly Attachment[]): TarFile[] {
  const taken = new Set<string>();
  return attachments.map(({ filename, sha256, size }, i) => {
    const safe = safeName(filename);
    const path = taken.has(safe) ? `${i + 1}-${safe}` : safe;
    taken.add(path);
    return { path, size, content: contentOf(blobs, org, sha256) };
  });
}

/** A file name without folders, control characters and what shells or other systems read as more than a name. */
function safeName(given: string): string {
  const name = given
    .replace(/^.*[/\\]/, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^[.-]+/, '')
    .slice(-100);
  return name === '' ? 'attachment' : name;
}
