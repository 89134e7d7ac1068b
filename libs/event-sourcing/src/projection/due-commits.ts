import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { Commit, Documents } from '@assurance/storage-ports';
import { FairWorkQueue } from '../work-queue/fair-work-queue';
import type { WorkItem } from '../work-queue/work-queue';
import { putRows } from './batches';
import { bytesOf } from './follow-views';

/** How long a worker leases an organization (milliseconds). If a commit takes longer, another process may process it too, which changes nothing. */
const LEASE_MS = 10_000;
const PAUSE_MAX_MS = 60_000;

/** A commit that slow views have still to process. The document's id is `dueCommitId`. */
interface DueCommit {
  readonly org: string;
  readonly stream: string;
  readonly seq: number;
  /** The time of the commit (integer milliseconds). */
  readonly at: number;
  /** The bytes of its events. */
  readonly size: number;
}

/** Both collections are deferred: a crash loses them together with the position of the feed, which then delivers the commits again. */
export const dueCommits: CollectionShape<DueCommit> = {
  name: 'due_commits',
  deferred: 'first',
  indexes: [index('by_organization', 'org', 'at')],
};

interface DueOrganization {
  readonly org: string;
}

/** The organizations with due commits, under their ids. */
export const dueOrganizations: CollectionShape<WorkItem<DueOrganization>> = {
  name: 'due_organizations',
  deferred: 'first',
  indexes: [index('by_time', 'due', 'notBefore'), index('by_organization', 'due', 'org', 'notBefore')],
};

/** The queue of organizations with due commits. They take turns. */
export class DueOrganizations extends FairWorkQueue<DueOrganization> {
  /** @param time integer milliseconds */
  constructor(
    private readonly store: Documents,
    private readonly time: () => number,
  ) {
    super(store.collection(dueOrganizations), time, {
      leaseMs: LEASE_MS,
      pauseMaxMs: PAUSE_MAX_MS,
      together: (_, next) => next,
      cleared: (item) => item,
    });
  }

  /** Notes commits and enqueues their organizations. Noting a commit again changes nothing. */
  async note(commits: readonly Commit[]): Promise<void> {
    const rows = commits.map((commit) => {
      const { org, stream, seq, at } = commit;
      return [dueCommitId(commit), { org, stream, seq, at, size: bytesOf(commit) }] as const;
    });
    await putRows(this.store.collection(dueCommits), new Map(rows));
    await this.enqueueAll(commits.map(({ org }) => org));
  }

  /** Returns those of some organizations that are due. @param orgs at most 1,000 */
  async dueAmong(orgs: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const items = await this.store.collection(dueOrganizations).getMany([...orgs]);
    return new Set([...items].filter(([, { due }]) => due).map(([org]) => org));
  }

  /** Postpones organizations that no worker has leased, for the length of a lease. */
  postpone(orgs: readonly string[]): Promise<void> {
    const notBefore = this.time() + LEASE_MS;
    return this.store
      .collection(dueOrganizations)
      .merge(orgs, (item) => (item?.due === true && item.holder === null ? { ...item, notBefore } : undefined));
  }

  /** Makes organizations due at once. */
  enqueueAll(orgs: readonly string[]): Promise<void> {
    return this.enqueue(new Map(orgs.map((org) => [org, { org }])));
  }
}

export function dueCommitId({ stream, seq }: Pick<Commit, 'stream' | 'seq'>): string {
  return `${stream}#${seq}`;
}
