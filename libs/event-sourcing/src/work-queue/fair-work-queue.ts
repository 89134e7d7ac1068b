import { orderBy } from '@assurance/contracts/events/aggregate';
import type { Collection } from '@assurance/storage-ports';
import { type ReadyItem, type WorkItem, WorkQueue, type WorkQueueOptions } from './work-queue';

/** How many organizations are read in one call, and how many items of each. */
const ORGANIZATIONS = 32;
const OF_EACH = 8;

/** A queue in which organizations take turns. Each item belongs to one. Its collection also needs an index on `due`, `org` and `notBefore`. */
export class FairWorkQueue<What extends { readonly org: string }> extends WorkQueue<What> {
  /** The organization that was read last. */
  private last = '';

  /** @param now integer milliseconds */
  constructor(
    private readonly items: Collection<WorkItem<What>>,
    now: () => number,
    options: WorkQueueOptions<What>,
  ) {
    super(items, now, options);
  }

  /** Items of different organizations in turn, beginning after the organization that was read last. The item of each that is due longest is first. */
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

  /** Organizations with a due item, by id: first the ones after `after`, then the others up to it. */
  private async *organizationsAfter(after: string): AsyncGenerator<string> {
    for (let org = await this.orgAfter(after); org !== null; org = await this.orgAfter(org)) yield org;
    for (let org = await this.orgAfter(''); org !== null && org <= after; org = await this.orgAfter(org)) yield org;
  }

  private async readyOf(org: string): Promise<ReadyItem[]> {
    const where = { due: true, org };
    const results = await this.items.find({ where, order: orderBy('notBefore'), limit: OF_EACH });
    return results.filter(({ doc }) => this.isReady(doc)).map(({ id }) => ({ id, owner: org }));
  }

  /** The next organization by id that has a due item. */
  private async orgAfter(org: string): Promise<string | null> {
    const where = { due: true, org: { gte: org === '' ? '' : `${org}\u0000` } };
    const [document] = await this.items.find({ where, order: orderBy('org', 'notBefore'), limit: 1 });
    return document?.doc.org ?? null;
  }
}
