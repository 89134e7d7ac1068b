import { organization } from '@assurance/access/domain/organization';
import type { StoredBytes } from '@assurance/event-sourcing/tokens';
import { bytesOfCommit, storageUsage } from '@assurance/http/storage-usage';
import type { CollectionDefinition, Engines } from '@assurance/storage-ports';

/** The progress of the count: first all commits, then the blobs of each organization. */
type CountPosition =
  | { readonly phase: 'commits'; readonly after: string | null }
  | { readonly phase: 'blobs'; readonly orgs: string | null }
  | { readonly phase: 'done' };

interface Count {
  /** Commits from this time on are counted as they arrive (integer milliseconds). */
  readonly since: number;
  readonly place: CountPosition;
}

const counts: CollectionDefinition<Count> = { name: 'storage_counts', indexes: [] };
/** The id of the one document of `counts`. */
const THE_COUNT = 'first';
/** How many commits a step reads. */
const STEP = 200;

/**
 * Counts once the bytes that an earlier release or an import stored, before the bytes of organizations were counted. It works in short steps. A step
 * that a stopped process repeats counts twice.
 */
export class StoredBytesCount {
  constructor(
    private readonly engines: Pick<Engines, 'events' | 'documents' | 'blobs'>,
    private readonly now: () => number,
  ) {}

  /**
   * Stores the time from which commits are counted as they arrive. Call it before the first of these commits. A new installation has nothing to
   * count. Data that arrives during a count may count twice.
   */
  async begin(): Promise<void> {
    const documents = this.documents(counts);
    if ((await documents.get(THE_COUNT)) !== null) return;
    const { commits } = await this.engines.events.scan(null, 1);
    const place: CountPosition = commits.length === 0 ? { phase: 'done' } : { phase: 'commits', after: null };
    await documents.merge([THE_COUNT], (count) => (count === null ? { since: this.now(), place } : undefined));
  }

  /** Does the next step. Returns false if all is counted. */
  async step(): Promise<boolean> {
    const count = await this.documents(counts).get(THE_COUNT);
    if (count === null || count.place.phase === 'done') return false;
    const place =
      count.place.phase === 'commits'
        ? await this.countCommits(count.place.after, count.since)
        : await this.countBlobs(count.place.orgs);
    await this.documents(counts).merge([THE_COUNT], (current) => ({ since: count.since, ...current, place }));
    return place.phase !== 'done';
  }

  private async countCommits(after: string | null, since: number): Promise<CountPosition> {
    const { commits, next } = await this.engines.events.scan(after, STEP);
    const bytes = new Map<string, number>();
    for (const commit of commits)
      if (commit.at < since) bytes.set(commit.org, (bytes.get(commit.org) ?? 0) + bytesOfCommit(commit));
    await this.documents(storageUsage).merge([...bytes.keys()], (stored, org) => ({
      events: (stored?.events ?? 0) + (bytes.get(org) ?? 0),
      attachments: stored?.attachments ?? 0,
    }));
    return next === null ? { phase: 'blobs', orgs: null } : { phase: 'commits', after: next };
  }

  /** Counts one organization. Content that is stored meanwhile may count twice. */
  private async countBlobs(after: string | null): Promise<CountPosition> {
    const { documents, next } = await this.documents(organization.states).scan(after, 1);
    const org = documents[0]?.doc.id;
    if (org !== undefined) {
      const usage = this.documents(storageUsage);
      const before = (await usage.get(org))?.attachments ?? 0;
      let bytes = 0;
      for await (const { size } of this.engines.blobs.list(org)) bytes += size;
      await usage.merge([org], (now): StoredBytes => ({
        events: now?.events ?? 0,
        attachments: bytes + (now?.attachments ?? 0) - before,
      }));
    }
    return next === null ? { phase: 'done' } : { phase: 'blobs', orgs: next };
  }

  private documents: Engines['documents']['collection'] = (definition) => this.engines.documents.collection(definition);
}
