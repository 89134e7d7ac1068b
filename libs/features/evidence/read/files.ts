import type { Attachment } from '@assurance/contracts/evidence/events';
import { contentOf } from '@assurance/event-sourcing/sealing/read';
import type { TarFile } from '@assurance/kernel/tar/write';
import type { Blobs } from '@assurance/storage-ports';

/** The files of an attestation. */
export interface Evidence {
  /** When it was attested, in integer milliseconds: the time of every file. */
  readonly at: number;
  readonly files: readonly TarFile[];
}

/** The longest name, so that a number before it fits into what every tool reads of a tar archive. */
const NAME_MAX = 90;

/** The attachments as files, under names that are safe to unpack. A number distinguishes equal names, also those that differ by letter case alone. */
export function evidenceFiles(blobs: Pick<Blobs, 'open'>, org: string, attachments: readonly Attachment[]): TarFile[] {
  const usedNames = new Set<string>();
  return attachments.map(({ filename, sha256, size }, i) => {
    const safe = safeName(filename);
    let path = safe;
    for (let number = i + 1; usedNames.has(path.toLowerCase()); number += 1) path = `${number}-${safe}`;
    usedNames.add(path.toLowerCase());
    return { path, size, content: contentOf(blobs, org, sha256) };
  });
}

/** A file name without folders, control characters and what shells or other systems read as more than a name. Its end stays, which tells its kind. */
function safeName(input: string): string {
  const name = input
    .replace(/^.*[/\\]/s, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-NAME_MAX)
    .replace(/^[.-]+/, '')
    .replace(/\.+$/, '');
  return name === '' ? 'attachment' : name;
}
