import type { Collection, CollectionDefinition } from '@assurance/storage-ports';

/** The position of the relay and its current holder. There is one such document. */
export interface RelayState {
  readonly holder: string | null;
  /** Grows with every heartbeat of the holder. */
  readonly beat: number;
  /** The position in the store's changes; null before the first run. */
  readonly position: string | null;
  /** The newest time of a commit that is known to be published, in integer milliseconds. */
  readonly reached: number;
  /** How many messages were sent in total. */
  readonly published: number;
}

export const relayStates: CollectionDefinition<RelayState> = { name: 'relay', mergedOften: true, indexes: [] };

const ID = 'events';
const INITIAL: RelayState = { holder: null, beat: 0, position: null, reached: 0, published: 0 };

/** Another process holds the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Decides which of several processes publishes. It compares no clocks: a process takes over if, by its own clock, the
 * holder sends no heartbeat for a while. If two processes hold the lease for a moment, they only publish some commits twice.
 */
export class Lease {
  constructor(
    private readonly states: Collection<RelayState>,
    private readonly holder: string,
  ) {}

  async read(): Promise<RelayState> {
    return (await this.states.get(ID)) ?? INITIAL;
  }

  /** Takes the lease from the observed holder. @returns null when the lease has changed in between */
  async acquire(seen: RelayState): Promise<RelayState | null> {
    let state: RelayState | null = null;
    await this.states.merge([ID], (current) => {
      const { holder, beat } = current ?? INITIAL;
      state = holder === seen.holder && beat === seen.beat ? { ...seen, holder: this.holder, beat: beat + 1 } : null;
      return state ?? undefined;
    });
    return state;
  }

  /**
   * Sends a heartbeat with the position.
   *
   * @throws LeaseLost
   */
  async renew(checkpoint: Pick<RelayState, 'position' | 'reached' | 'published'>): Promise<void> {
    let lost = false;
    await this.states.merge([ID], (current) => {
      lost = current?.holder !== this.holder;
      return lost || current === null ? undefined : { ...current, ...checkpoint, beat: current.beat + 1 };
    });
    if (lost) throw new LeaseLost('another process publishes commits now');
  }

  /** Releases the lease, so that the next process begins at once. */
  async release(): Promise<void> {
    await this.states.merge([ID], (current) =>
      current?.holder === this.holder ? { ...current, holder: null, beat: current.beat + 1 } : undefined,
    );
  }
}
