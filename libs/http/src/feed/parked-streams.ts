import type { Collection, CollectionDefinition, Documents } from '@assurance/storage-ports';

/** A stream that one group cannot digest: its commits from `from` on wait in the event store. */
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
  indexes: [
    {
      name: 'by_group',
      fields: [
        ['group', 'asc'],
        ['stream', 'asc'],
      ],
    },
  ],
};

const PAGE = 500;

/** The parking lane of one group: one document a stream. */
export class ParkedStreams {
  private readonly documents: Collection<ParkedStream>;

  constructor(
    private readonly store: Documents,
    private readonly group: string,
  ) {
    this.documents = store.collection(parkedStreams);
  }

  /** Which of some streams are parked. */
  async among(streams: Iterable<string>): Promise<ReadonlySet<string>> {
    const ids = [...new Set(streams)].map((stream) => this.id(stream));
    const found = await this.documents.getMany(ids);
    return new Set([...found.values()].map(({ stream }) => stream));
  }

  async park(parked: Omit<ParkedStream, 'group'>): Promise<void> {
    const doc = { ...parked, group: this.group };
    // The feed does not deliver again the commits of a parked stream.
    await this.store.persist();
    await this.documents.write([{ kind: 'forward', id: this.id(parked.stream), seq: parked.from * 2, doc }]);
  }

  /** Ends the parking of a stream that was handled up to `last`. Odd, where parking is even: it ends what began at `last`, not what begins after it. */
  async release(stream: string, last: number): Promise<void> {
    await this.store.persist();
    await this.documents.write([{ kind: 'remove', id: this.id(stream), seq: last * 2 + 1 }]);
  }

  async all(): Promise<ParkedStream[]> {
    const all: ParkedStream[] = [];
    for (;;) {
      const page = await this.documents.find({
        where: { group: this.group },
        order: [['stream', 'asc']],
        skip: all.length,
        limit: PAGE,
      });
      all.push(...page.map(({ doc }) => doc));
      if (page.length < PAGE) return all;
    }
  }

  private id(stream: string): string {
    return `${this.group}/${stream}`;
  }
}
