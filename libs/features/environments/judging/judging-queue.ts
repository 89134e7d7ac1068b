import { index, orderBy } from '@assurance/contracts/events/aggregate';
import {
  type LeasedItem,
  type ReadyItem,
  type WorkItem,
  WorkQueue,
} from '@assurance/event-sourcing/work-queue/work-queue';
import type { Collection, CollectionDefinition, Documents } from '@assurance/storage-ports';
import { type JudgingWork, mergeWork } from './work';

/** The work item of an environment: one document an environment, under its id. */
export type JudgingItem = WorkItem<JudgingWork>;
export type LeasedEnvironment = LeasedItem<JudgingWork>;

export const judgingItems: CollectionDefinition<JudgingItem> = {
  name: 'due_environments',
  indexes: [index('by_time', 'due', 'notBefore'), index('by_organization', 'due', 'org', 'notBefore')],
};

/** How long a worker keeps others off. It may take longer: then two work at once, and the stream's conflict decides. */
export const LEASE_MS = 15_000;
/** The longest rest of an environment whose work keeps failing. */
const PAUSE_MAX_MS = 60_000;
/** How many organizations are looked at in turn, and how many environments of each. */
const ORGANIZATIONS = 32;
const OF_EACH = 8;

/** The work queue of all environments. */
export class JudgingQueue extends WorkQueue<JudgingWork> {
  private readonly items: Collection<JudgingItem>;
  /** The organization that was looked at last. */
  private last = '';

  /** @param now integer milliseconds */
  constructor(documents: Documents, now: () => number) {
    const collection = documents.collection(judgingItems);
    super(collection, now, {
      leaseMs: LEASE_MS,
      pauseMaxMs: PAUSE_MAX_MS,
      together: mergeWork,
      cleared: (item) => ({ ...item, fingerprints: [] }),
    });
    this.items = collection;
  }

  /** Environments of different organizations in turn, the longest due of each first, beginning after the organization that was looked at last. */
  override async ready(limit: number): Promise<ReadyItem[]> {
    const lines: ReadyItem[][] = [];
    for await (const org of this.organizationsAfter(this.last)) {
      lines.push(await this.readyOf(org));
      this.last = org;
      if (lines.length === ORGANIZATIONS) break;
    }
    const rounds = Array.from({ length: OF_EACH }, (_, i) => lines.flatMap((line) => line[i] ?? []));
    return rounds.flat().slice(0, limit);
  }

  /** Organizations in which an environment is due, by id: those after one, then those up to it. */
  private async *organizationsAfter(after: string): AsyncGenerator<string> {
    for (let org = await this.orgAfter(after); org !== null; org = await this.orgAfter(org)) yield org;
    for (let org = await this.orgAfter(''); org !== null && org <= after; org = await this.orgAfter(org)) yield org;
  }

  private async readyOf(org: string): Promise<ReadyItem[]> {
    const where = { due: true, org };
    const results = await this.items.find({ where, order: orderBy('notBefore'), limit: OF_EACH });
    return results.filter(({ doc }) => this.isReady(doc)).map(({ id }) => ({ id, owner: org }));
  }

  /** The next organization by id in which an environment is due. */
  private async orgAfter(org: string): Promise<string | null> {
    const where = { due: true, org: { gte: org === '' ? '' : `${org}\u0000` } };
    const [document] = await this.items.find({
      where,
      order: orderBy('org', 'notBefore'),
      limit: 1,
    });
    return document?.doc.org ?? null;
  }
}
