import { index, orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import {
  type Collection,
  type CollectionDefinition,
  type Commit,
  type Documents,
  findPages,
} from '@assurance/storage-ports';

/** A stream that one group cannot process. Its commits from `from` on are still in the event store. */
export interface ParkedStream {
  readonly group: string;
  readonly stream: string;
  /** The first commit that was not handled. */
  readonly from: number;
  readonly error: string;
  /** Integer milliseconds. */
  readonly at: number;
}

export const parkedStreams: CollectionDefinition<ParkedStream> = {
  name: 'parked_streams',
  indexes: [index('by_group', 'group', 'stream')],
};

const PAGE = 500;

/** The group name that marks an erased organization. No group delivers commits of such an organization. */
const ERASED = 'erased organization';

/** Makes every group skip the commits of an organization, from the next batch on. Commits of the organization's own stream are not skipped. */
export function skipErased(documents: Documents, org: string, at: number): Promise<void> {
  const doc = { group: ERASED, stream: org, from: 1, error: '', at };
  return documents.collection(parkedStreams).write([{ kind: 'put', id: erasedId(org), doc }]);
}

/** Leaves out commits of erased organizations. */
export async function excludeErased(documents: Documents, batch: readonly Commit[]): Promise<readonly Commit[]> {
  return excludeParked(documents.collection(parkedStreams), batch, null);
}

/** Whether a document marks an erased organization. Otherwise it describes a parked stream. */
export function isErasedMark({ group }: Pick<ParkedStream, 'group'>): boolean {
  return group === ERASED;
}

/** The parked streams of one group, with one document for each. */
export class ParkedStreams {
  private readonly documents: Collection<ParkedStream>;

  constructor(
    private readonly store: Documents,
    private readonly group: string,
  ) {
    this.documents = store.collection(parkedStreams);
  }

  /** Leaves out commits of parked streams and of erased organizations. */
  async excludeParked(batch: readonly Commit[]): Promise<readonly Commit[]> {
    return excludeParked(this.documents, batch, this.id);
  }

  async park(parked: Omit<ParkedStream, 'group'>): Promise<void> {
    const doc = { ...parked, group: this.group };
    // The feed never delivers the skipped commits again, so all earlier writes must be durable first.
    await this.store.persist();
    await this.documents.write([{ kind: 'forward', id: this.id(parked.stream), seq: parked.from * 2, doc }]);
  }

  /**
   * Ends the parking of a stream that was handled up to `last`. A removal has an odd seq, and a parking has an even one.
   * So it ends a parking that began at `last` or before, and none that begins later.
   */
  async release(stream: string, last: number): Promise<void> {
    await this.store.persist();
    await this.documents.write([{ kind: 'remove', id: this.id(stream), seq: last * 2 + 1 }]);
  }

  async all(): Promise<ParkedStream[]> {
    const all: ParkedStream[] = [];
    const query = { where: { group: this.group }, order: orderBy('stream') };
    for await (const page of findPages(this.documents, query, PAGE)) all.push(...page.map(({ doc }) => doc));
    return all;
  }

  private readonly id = (stream: string): string => `${this.group}/${stream}`;
}

/**
 * Leaves out commits of parked streams and of erased organizations. It keeps the own stream of an erased organization, because that stream records
 * the erasure.
 *
 * @param parkedId the id under which a stream is parked; null: parked streams are included
 */
async function excludeParked(
  documents: Collection<ParkedStream>,
  batch: readonly Commit[],
  parkedId: ((stream: string) => string) | null,
): Promise<readonly Commit[]> {
  const ids = new Set<string>();
  let last = '';
  for (const { org, stream } of batch) {
    if (parkedId !== null) ids.add(parkedId(stream));
    if (org !== last) ids.add(erasedId(org));
    last = org;
  }
  const results = await documents.getMany([...ids]);
  if (results.size === 0) return batch;
  return batch.filter(
    ({ org, stream }) =>
      !(parkedId !== null && results.has(parkedId(stream))) &&
      (stream === streams.organization(org) || !results.has(erasedId(org))),
  );
}

function erasedId(org: string): string {
  return `${ERASED}/${org}`;
}
