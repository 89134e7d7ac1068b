import type { Attachment } from '@assurance/contracts/evidence/events';
import { contentOf } from '@assurance/event-sourcing/sealing/read';
import { trimEnd } from '@assurance/kernel';
import type { TarFile } from '@assurance/kernel/tar/write';
import type { Blobs } from '@assurance/storage-ports';

/** The files of an attestation. */
export interface Evidence {
  /** The time of the attestation (integer milliseconds). Every file gets this time. */
  readonly at: number;
  readonly files: readonly TarFile[];
}

/** The longest name. With a number before it, it still fits into the tar format that every tool reads. */
const NAME_MAX = 90;

/** Returns attachments as files, under names that are safe to unpack. Equal names get a number, even if they differ in letter case. */
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

/**
 * Removes folders, control characters, and characters with a special meaning in shells or other systems. It keeps the end of the name, which shows
 * the file type.
 */
function safeName(input: string): string {
  const plainName = input
    .replace(/^.*[/\\]/s, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-NAME_MAX)
    .replace(/^[.-]+/, '');
  const name = trimEnd(plainName, /\./);
  return name === '' ? 'attachment' : name;
}
