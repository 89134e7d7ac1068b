import type { Attachment } from '@assurance/contracts-events';
import type { Blobs } from '@assurance/storage-ports';
import { BrokenRecord } from '@assurance/storage-records';

/** A file of an archive, under a name that is safe to unpack. */
export interface EvidenceFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** The files of an attestation. */
export interface Evidence {
  /** When it was attested, in integer milliseconds: the time of every file. */
  readonly at: number;
  readonly files: readonly EvidenceFile[];
}

/** The attachments as files; two of one name are told apart by a number. */
export function evidenceFiles(
  blobs: Pick<Blobs, 'open'>,
  org: string,
  attachments: readonly Attachment[],
): EvidenceFile[] {
  const taken = new Set<string>();
  return attachments.map(({ filename, sha256, size }, i) => {
    const safe = safeName(filename);
    const name = taken.has(safe) ? `${i + 1}-${safe}` : safe;
    taken.add(name);
    const open = async () => {
      const content = await blobs.open(org, sha256);
      if (content === null) throw new BrokenRecord(`the blob ${sha256} is gone`);
      return content;
    };
    return { name, size, open };
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
