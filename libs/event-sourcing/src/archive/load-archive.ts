import type { AppendOutcome, Commit } from '@assurance/storage-ports';
import type { ArchivedCollection } from './archived-collection';
import { type ArchivedDocument, ArchiveFault, type Counts, type OwnedBlob } from './format';
import type { ArchiveReceiver } from './read-archive';
import type { ReadableEngines } from './write-archive';

/** How many commits, and how many bytes, are appended together. Commits of different streams then need few writes. */
const TOGETHER = 400;
const TOGETHER_BYTES = 8 * 1024 * 1024;
/** How often an append is tried. An append may report a conflict although no other process writes. */
const TRIES = 8;

/** Loads the content of an archive into a store. Loading it again changes nothing. */
export class ArchiveLoader implements ArchiveReceiver {
  counts = { commits: 0, data: 0, blobs: 0, documents: 0 };
  private pendingCommits: Commit[] = [];
  private bytes = 0;
  private readonly archivedCollections: ReadonlyMap<string, ArchivedCollection>;

  constructor(
    private readonly engines: ReadableEngines,
    archived: readonly ArchivedCollection[],
    private readonly report: (counts: Counts) => void,
    private readonly signal: AbortSignal,
  ) {
    this.archivedCollections = new Map(archived.map((collection) => [collection.collection.name, collection]));
  }

  begin(): void {}

  async commit(commit: Commit): Promise<void> {
    this.pendingCommits.push(commit);
    this.bytes += commit.events.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
    if (this.pendingCommits.length >= TOGETHER || this.bytes >= TOGETHER_BYTES) await this.flush();
  }

  async data(org: string, text: string): Promise<void> {
    await this.engines.events.putData(org, text);
    this.counts.data += 1;
  }

  async blob({ org, sha256, size }: OwnedBlob, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.flush();
    this.signal.throwIfAborted();
    const put = await this.engines.blobs.put(org, content, size);
    if (put.sha256 !== sha256) throw new Error(`the blob ${sha256} was stored as ${put.sha256}`);
    this.counts.blobs += 1;
    this.report(this.counts);
  }

  async document({ collection, id, doc }: ArchivedDocument): Promise<void> {
    const archivedCollection = this.archivedCollections.get(collection);
    if (archivedCollection === undefined)
      throw new ArchiveFault(`has documents of ${JSON.stringify(collection)}, which this release does not know`);
    await this.flush();
    await this.engines.documents.collection(archivedCollection.collection).write([{ kind: 'put', id, doc }]);
    this.counts.documents += 1;
  }

  /** Appends the pending commits. */
  async flush(): Promise<void> {
    this.signal.throwIfAborted();
    const commits = this.pendingCommits;
    [this.pendingCommits, this.bytes] = [[], 0];
    for (const round of groupByRound(commits)) await Promise.all(round.map((commit) => this.append(commit)));
    this.counts.commits += commits.length;
    this.report(this.counts);
  }

  private async append(commit: Commit): Promise<void> {
    let outcome: AppendOutcome = 'conflict';
    for (let tries = 0; outcome === 'conflict' && tries < TRIES; tries += 1) {
      outcome = await this.engines.events.append(commit);
    }
    const { stream, seq } = commit;
    if (outcome === 'gap')
      throw new ArchiveFault(`breaks the chain of hashes: ${stream}#${seq} does not follow the commit before it`);
    if (outcome === 'conflict') throw new ArchiveFault(`has two commits for one position: ${stream}#${seq}`);
  }
}

/** Divides commits into sets with one commit of each stream. The commits of a stream keep their order. */
function groupByRound(commits: readonly Commit[]): Commit[][] {
  const sets: Commit[][] = [];
  const next = new Map<string, number>();
  for (const commit of commits) {
    const round = next.get(commit.stream) ?? 0;
    next.set(commit.stream, round + 1);
    (sets[round] ??= []).push(commit);
  }
  return sets;
}
