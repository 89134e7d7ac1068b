import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CheckpointSigned } from '@assurance/contracts/events/checkpoint';
import { isDroppable } from '@assurance/contracts/events/codec';
import { streams } from '@assurance/contracts/events/streams';
import {
  type Commit,
  type CommitPage,
  type Engines,
  getAll,
  scanPages,
  type StoredEvent,
} from '@assurance/storage-ports';
import { redactedChunks } from '../checkpoints/checkpoint';
import { contentOf, dataOf, eventsOf, storedText } from '../sealing/read';
import type { ArchivedCollection, Owner } from './archived-collection';
import { ARCHIVE, type Counts, RECENT_DATA_MAX, type Header, type Line, PIECE_BYTES, VERSION } from './format';
import { RecentTexts } from './recent-texts';
import { readReferencedStreams, memberIn } from './referenced-streams';

/** Commits in a page. The number is small, so that requests run between pages. */
const PAGE = 50;
const DOCUMENTS = 200;

type DetachedEvent = StoredEvent | Pick<StoredEvent, 'digest'>;

export type ReadableEngines = Pick<Engines, 'events' | 'documents' | 'blobs'>;

export interface ArchiveOrder {
  readonly engines: ReadableEngines;
  /** Documents that cannot be rebuilt from commits. */
  readonly archived: readonly ArchivedCollection[];
  readonly id: string;
  /** Integer milliseconds since 1970. */
  readonly at: number;
  /** Null: all organizations. */
  readonly organization: { readonly id: string; readonly name: string } | null;
  readonly secrets: boolean;
  /** Is called with the progress. */
  readonly report: (counts: Counts) => void;
  readonly signal: AbortSignal;
}

/** The counts of an archive, and how many blobs it lacks because they were removed while it was written. */
export interface ArchiveResult {
  readonly counts: Counts;
  readonly removed: number;
}

/**
 * Writes a store as the bytes of an archive (docs/reference/archive.md), in pieces. The archive has the commits as of one
 * instant, each after its data that is stored outside it, then blobs and documents that cannot be rebuilt. The caller sets
 * the speed. Memory is bounded, except for the ids of organizations and members. Data that retention dropped and blobs
 * that a sweep removed are left out, also if that happens while the archive is written.
 *
 * @throws BrokenRecord if other data is missing, or a blob ends early, as after an erasure
 */
export async function* writeArchive(order: ArchiveOrder): AsyncGenerator<Buffer, ArchiveResult> {
  const writer = new Writer(order);
  yield* writer.write();
  const { counts, removedCount } = writer;
  return { counts, removed: removedCount };
}

class Writer {
  counts = { commits: 0, data: 0, blobs: 0, documents: 0 };
  removedCount = 0;
  private readonly hash = createHash('sha256');
  private readonly recentData = new RecentTexts(RECENT_DATA_MAX);
  private readonly organizations = new Set<string>();
  private readonly members = new Set<string>();

  constructor(private readonly order: ArchiveOrder) {}

  async *write(): AsyncGenerator<Buffer> {
    const { id, at, organization, secrets } = this.order;
    yield this.bytes([
      { archive: ARCHIVE, version: VERSION, id, at, organization: organization?.name ?? null, secrets },
    ]);
    yield* this.commits();
    for (const org of this.organizations) yield* this.blobs(org);
    for (const archived of this.order.archived) if (secrets || !archived.secret) yield* this.documents(archived);
    yield this.bytes([{ end: { ...this.counts, sha256: this.hash.copy().digest('hex') } }]);
  }

  private async *commits(): AsyncGenerator<Buffer> {
    const { events } = this.order.engines;
    for (let after: string | null = null; ;) {
      this.order.signal.throwIfAborted();
      const { commits, next }: CommitPage = await events.scan(after, PAGE);
      yield* this.page(commits.filter((commit) => this.includes(commit)));
      if (next === null) break;
      after = next;
      await setImmediate();
    }
    const { organization } = this.order;
    if (organization === null) return;
    const { id, name } = organization;
    for await (const commit of readReferencedStreams(events, id, name, this.members)) yield* this.page([commit]);
  }

  /** Whether the archive includes a commit. If so, it notes the organization of the commit, and the member if it changes a membership. */
  private includes(commit: Commit): boolean {
    const { organization } = this.order;
    if (organization !== null && commit.org !== organization.id) return false;
    this.organizations.add(commit.org);
    const member = organization === null ? null : memberIn(commit, organization.id);
    if (member !== null) this.members.add(member);
    return true;
  }

  private async *page(commits: readonly Commit[]): AsyncGenerator<Buffer> {
    let lines: Line[] = [];
    for (const commit of commits) {
      for (const event of await this.outside(commit)) {
        const key = `${event.digest} ${commit.org}`;
        if (this.recentData.has(key)) continue;
        const text = await this.textOf(commit, event);
        if (text === null) continue;
        yield this.bytes(lines);
        lines = [];
        yield* this.data(commit.org, event.digest, Buffer.from(text));
        this.recentData.add(key);
      }
      lines.push({ commit });
      this.counts.commits += 1;
    }
    yield this.bytes(lines);
    this.order.report(this.counts);
  }

  /** The data that is stored outside a commit: data of its events, and the list of streams of a checkpoint. */
  private async outside(commit: Commit): Promise<DetachedEvent[]> {
    const own = commit.events.filter(({ data }) => data === undefined);
    if (commit.stream !== streams.checkpoints) return own;
    const signed = (await eventsOf(this.order.engines.events, commit)) as CheckpointSigned[];
    const chunks = signed.flatMap(({ data }) => data.chunks.map(({ digest }) => digest));
    const redacted = await getAll(this.order.engines.documents.collection(redactedChunks), chunks);
    return [...own, ...chunks.filter((digest) => !redacted.has(digest)).map((digest) => ({ digest }))];
  }

  /** The data of an event; null if retention dropped it. */
  private textOf(commit: Commit, event: DetachedEvent): Promise<string | null> {
    const { events } = this.order.engines;
    const { digest } = event;
    return 'type' in event && isDroppable(event)
      ? storedText(events, commit, { digest })
      : dataOf(events, commit, { digest });
  }

  private async *data(org: string, digest: string, content: Buffer): AsyncGenerator<Buffer> {
    yield this.bytes([{ data: { org, digest, size: content.length } }]);
    yield* this.pieces(content);
    this.counts.data += 1;
  }

  private async *blobs(org: string): AsyncGenerator<Buffer> {
    for await (const { sha256, size } of this.order.engines.blobs.list(org)) {
      const content = await this.openBlob(org, sha256);
      if (content === null) {
        this.removedCount += 1;
        continue;
      }
      const { rest } = content;
      yield this.bytes([{ blob: { org, sha256, size } }]);
      try {
        for (let next = content.first; next.done !== true; next = await rest.next()) {
          this.order.signal.throwIfAborted();
          yield* this.pieces(next.value);
        }
      } finally {
        await rest.return(undefined);
      }
      this.counts.blobs += 1;
      this.order.report(this.counts);
    }
  }

  /**
   * Opens a blob and reads its first piece. An open file keeps its content when it is removed.
   *
   * @returns null if the blob was removed
   * @throws BrokenRecord if the blob is recorded but cannot be read
   */
  private async openBlob(org: string, sha256: string) {
    const { blobs } = this.order.engines;
    try {
      const rest = contentOf(blobs, org, sha256);
      return { first: await rest.next(), rest };
    } catch (fault) {
      if ((await blobs.stat(org, sha256)) === null) return null;
      throw fault;
    }
  }

  private async *documents({ collection, ownerOf: whose }: ArchivedCollection): AsyncGenerator<Buffer> {
    const { documents } = this.order.engines;
    for await (const page of scanPages(documents.collection(collection), DOCUMENTS)) {
      this.order.signal.throwIfAborted();
      for (const { id, doc } of page) {
        if (!(await this.includesOwner(whose(id, doc)))) continue;
        yield this.bytes([{ document: { collection: collection.name, id, doc } }]);
        this.counts.documents += 1;
      }
    }
  }

  private async includesOwner(owner: Owner | null): Promise<boolean> {
    if (owner === null) return this.order.organization === null;
    const org = 'org' in owner ? owner.org : (await this.order.engines.events.newest(owner.stream))?.org;
    return org !== undefined && this.organizations.has(org);
  }

  private async *pieces(content: Uint8Array): AsyncGenerator<Buffer> {
    const all = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    for (let from = 0; from < all.length; from += PIECE_BYTES) {
      if (from > 0) await setImmediate();
      yield this.bytes([{ piece: all.toString('base64', from, Math.min(from + PIECE_BYTES, all.length)) }]);
    }
  }

  private bytes(lines: readonly (Header | Line)[]): Buffer {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    this.hash.update(bytes);
    return bytes;
  }
}
