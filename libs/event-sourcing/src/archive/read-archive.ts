import { createHash } from 'node:crypto';
import { isDroppable } from '@assurance/contracts/events/codec';
import { byteLength, forgetOldest } from '@assurance/kernel';
import { type Commit, COMMIT_BYTES_MAX } from '@assurance/storage-ports';
import { dataFault, type Link, linkFault } from '../sealing/chain';
import { commitHash } from '../sealing/seal';
import { headerOf, lineOf } from './checks';
import {
  type ArchivedDocument,
  ArchiveFault,
  type Counts,
  DATA_BYTES_MAX,
  RECENT_DATA_MAX,
  type DataInfo,
  type End,
  type Header,
  type Line,
  type OwnedBlob,
} from './format';
import { linesOf } from './lines';
import { RecentTexts } from './recent-texts';

/**
 * The most streams for which the newest commit is in memory. For other streams, the store checks the chain when it appends.
 */
const LINKS = 200_000;

/** Receives the content of an archive in order. */
export interface ArchiveReceiver {
  /** Called first. */
  begin(header: Header): void | Promise<void>;
  commit(commit: Commit): void | Promise<void>;
  data(org: string, text: string): void | Promise<void>;
  /** @param content may be left partly unread, because the caller then reads the rest; its errors must be thrown on */
  blob(blob: OwnedBlob, content: AsyncIterable<Uint8Array>): Promise<void>;
  document(document: ArchivedDocument): void | Promise<void>;
}

/**
 * Reads an archive in bounded memory. It checks each part against its digest, each commit against the chain of its
 * stream, and the whole archive against its last line.
 *
 * @param bytes uncompressed
 * @returns the last line
 * @throws ArchiveFault
 */
export async function readArchive(bytes: AsyncIterable<Uint8Array>, taker: ArchiveReceiver): Promise<End> {
  const lines = linesOf(bytes);
  try {
    return await new ArchiveReading(lines, taker).readAll();
  } finally {
    await lines.return(undefined);
  }
}

class ArchiveReading {
  private counts = { commits: 0, data: 0, blobs: 0, documents: 0 };
  private number = 0;
  private readonly hash = createHash('sha256');
  private readonly recentData = new RecentTexts(RECENT_DATA_MAX);
  private readonly links = new Map<string, Link>();

  constructor(
    private readonly lines: AsyncGenerator<Buffer>,
    private readonly taker: ArchiveReceiver,
  ) {}

  async readAll(): Promise<End> {
    const first = await this.nextLine();
    if (first === null) throw new ArchiveFault('is empty');
    const header = headerOf(first.line);
    first.take();
    await this.taker.begin(header);
    for (;;) {
      const line = await this.next();
      if ('commit' in line) await this.commit(line.commit);
      else if ('data' in line) await this.data(line.data);
      else if ('blob' in line) await this.blob(line.blob);
      else if ('document' in line) await this.document(line.document);
      else if ('piece' in line) throw new ArchiveFault(`has an unexpected piece in line ${this.number}`);
      else return this.end(line.end);
    }
  }

  /** @returns null at the end; `take` adds the line to the digest */
  private async nextLine() {
    const { value, done } = await this.lines.next();
    if (done === true) return null;
    this.number += 1;
    return { line: value, take: () => this.hash.update(value).update('\n') };
  }

  private async next(): Promise<Line> {
    const raw = await this.nextLine();
    if (raw === null) throw new ArchiveFault('ends before its last line: it was cut off');
    const line = lineOf(raw.line, this.number);
    if (!('end' in line)) raw.take();
    return line;
  }

  private async commit(commit: Commit): Promise<void> {
    const { org, stream, seq, events } = commit;
    const at = `${stream.slice(0, 200)}#${seq}`;
    for (const event of events) {
      const { digest, data } = event;
      if (data === undefined && !isDroppable(event) && !this.recentData.has(`${digest} ${org}`)) {
        throw new ArchiveFault(`names data ${digest} in ${at} that does not come before it`);
      }
      const fault = data === undefined ? null : dataFault(event, data);
      if (fault !== null) throw new ArchiveFault(`was changed: ${at}: ${fault.slice(0, 300)}`);
    }
    if (byteLength(JSON.stringify(commit)) > COMMIT_BYTES_MAX)
      throw new ArchiveFault(`holds a commit of more than ${COMMIT_BYTES_MAX} bytes: ${at}`);
    const before = this.links.get(stream);
    // If the previous commit is not in memory, the store compares the commit with it.
    if (before !== undefined || seq === 1 || this.links.size < LINKS) {
      const fault =
        before !== undefined && before.seq !== seq - 1
          ? `it comes after the commit ${before.seq}`
          : linkFault(commit, before ?? null);
      if (fault !== null) throw new ArchiveFault(`breaks the chain of hashes: ${at}: ${fault}`);
    }
    this.remember(stream, { seq, hash: commitHash(commit) });
    this.counts.commits += 1;
    await this.taker.commit(commit);
  }

  private remember(stream: string, link: Link): void {
    this.links.delete(stream);
    this.links.set(stream, link);
    forgetOldest(this.links, LINKS);
  }

  private async data({ org, digest, size }: DataInfo): Promise<void> {
    if (size > DATA_BYTES_MAX) throw new ArchiveFault(`has data of ${size} bytes in line ${this.number}`);
    const pieces: Uint8Array[] = [];
    for await (const piece of this.content(digest, size)) pieces.push(piece);
    this.recentData.add(`${digest} ${org}`);
    this.counts.data += 1;
    await this.taker.data(org, Buffer.concat(pieces).toString('utf8'));
  }

  private async blob(blob: OwnedBlob): Promise<void> {
    const content = this.content(blob.sha256, blob.size);
    await this.taker.blob(blob, content);
    // The content that the receiver did not read is still verified.
    while ((await content.next()).done !== true);
    this.counts.blobs += 1;
  }

  /**
   * Reads the pieces of data or of a blob with the stated size. It checks the digest of the whole content before it
   * passes on the last piece.
   */
  private async *content(digest: string, size: number): AsyncGenerator<Uint8Array, void> {
    const startNumber = this.number;
    const hash = createHash('sha256');
    let remainingBytes = size;
    for (;;) {
      let piece = Buffer.alloc(0);
      if (remainingBytes > 0) {
        const line = await this.next();
        if (!('piece' in line)) throw new ArchiveFault(`lacks a part of what line ${startNumber} begins`);
        piece = Buffer.from(line.piece, 'base64');
        remainingBytes -= piece.length;
        if (piece.length === 0 || remainingBytes < 0)
          throw new ArchiveFault(`has another size in line ${this.number} than line ${startNumber} says`);
        hash.update(piece);
      }
      if (remainingBytes === 0 && hash.digest('hex') !== digest) {
        throw new ArchiveFault(
          `is not as it was written: what line ${startNumber} begins does not have the digest ${digest}`,
        );
      }
      yield piece;
      if (remainingBytes === 0) return;
    }
  }

  private async document(document: ArchivedDocument): Promise<void> {
    this.counts.documents += 1;
    await this.taker.document(document);
  }

  private async end(end: End): Promise<End> {
    for (const [kind, count] of Object.entries(this.counts) as [keyof Counts, number][]) {
      if (end[kind] !== count) throw new ArchiveFault(`has ${count} ${kind}, and its last line says ${end[kind]}`);
    }
    if (this.hash.digest('hex') !== end.sha256)
      throw new ArchiveFault('was changed: its digest differs from the one in its last line');
    if ((await this.nextLine()) !== null) throw new ArchiveFault('continues after its last line');
    return end;
  }
}
