import { createHash } from 'node:crypto';
import type { Commit } from '@assurance/storage-ports';
import { DIGESTS, ENVELOPE, type ListedFile, MANIFEST } from '../manifest';
import { ClaimedState } from './claimed-state';
import { type CommitRange, CommitReader, type RecordedSbom } from './commits';
import type { Report } from './finding';
import { LineSplitter, LineTooLong } from './lines';
import { VEX } from '../contents';
import { isRecordedStatement } from './shown-files';
import { RecordedVex } from './vex';

/** The most bytes of a text that is read into memory. */
const TEXT_MAX = 256 * 1024 * 1024;
const HELD: readonly string[] = [MANIFEST, ENVELOPE, DIGESTS];

/** The entries of a package. */
export class Entries {
  /** In the order of the package. */
  readonly files = new Map<string, ListedFile>();
  readonly texts = new Map<string, string>();
  readonly ranges = new Map<string, CommitRange>();
  /** The commits that refer to each attachment, by its SHA-256. */
  readonly attachments = new Map<string, Pick<Commit, 'org' | 'stream' | 'at'>[]>();
  /** The bills of materials in commits, by id of the attestation. */
  readonly sboms = new Map<string, RecordedSbom>();
  readonly claims = new ClaimedState();
  readonly vex = new RecordedVex();

  constructor(private readonly report: Report) {}

  /** Reads a file to its end. */
  async take(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const hash = createHash('sha256');
    const reader = readerOf(path, this);
    let size = 0;
    let fault: string | null = null;
    for await (const piece of content) {
      hash.update(piece);
      size += piece.length;
      if (fault === null) fault = reader.take(piece);
    }
    fault ??= reader.end();
    if (fault !== null) this.report(path, fault);
    if (this.files.has(path)) this.report(path, 'there are two files of this name');
    this.files.set(path, { path, size, sha256: hash.digest('hex') });
  }

  faultReporter(path: string): (fault: string) => void {
    return (fault) => this.report(path, fault);
  }
}

/** Reads the content of a file. Its methods return the fault that stops it; null if there is none. */
interface Reader {
  take(piece: Uint8Array): string | null;
  end(): string | null;
}

function readerOf(path: string, entries: Entries): Reader {
  if (HELD.includes(path) || path === VEX || path.startsWith('checkpoints/') || isRecordedStatement(path))
    return textReader((text) => entries.texts.set(path, text));
  if (path.startsWith('events/data/')) {
    return textReader((text) => {
      entries.claims.hold(text);
      entries.vex.hold(text);
    });
  }
  if (path.startsWith('events/') && path.endsWith('.jsonl')) return commitReader(path, entries);
  return { take: () => null, end: () => null };
}

function textReader(hold: (text: string) => void): Reader {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    take(piece) {
      size += piece.length;
      if (size > TEXT_MAX) return `it is larger than ${TEXT_MAX} bytes`;
      pieces.push(piece);
      return null;
    },
    end() {
      hold(Buffer.concat(pieces).toString('utf8'));
      return null;
    },
  };
}

function commitReader(path: string, entries: Entries): Reader {
  const lines = new LineSplitter();
  const commits = new CommitReader(entries, entries.faultReporter(path));
  return {
    take(piece) {
      try {
        for (const line of lines.take(piece)) commits.take(line);
        return null;
      } catch (fault) {
        if (fault instanceof LineTooLong) return fault.message;
        throw fault;
      }
    },
    end() {
      const { range, attachments, sboms } = commits;
      if (range !== null) entries.ranges.set(path, range);
      for (const [id, sbom] of sboms) entries.sboms.set(id, sbom);
      for (const [digest, places] of attachments)
        entries.attachments.set(digest, [...(entries.attachments.get(digest) ?? []), ...places]);
      if (lines.last() !== null) return 'its last line is broken off';
      return range === null ? 'it holds no commit' : null;
    },
  };
}
