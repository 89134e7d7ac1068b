import { type Patience, Turns } from '@assurance/kernel';

/** Large bodies of one organization that are read or processed at once. */
const AT_ONCE = 8;
/** A body waits no longer: clients of the organization may send theirs slowly. */
const PATIENCE: Patience = { waitMs: 5_000, late: () => new Error('waited long enough') };

/**
 * Reads a few large bodies of an organization at once. The others wait unread, where they take no memory of the process: their clients cannot send more
 * than the buffers of the connection hold.
 */
export class Arrivals {
  private readonly turns = new Turns(AT_ONCE);

  /** Waits until a body may be read. @param owner a holder's id @returns lets the next one be read; to be called once the answer is made */
  enter(owner: string): Promise<() => void> {
    return this.turns.hold(owner, PATIENCE).catch(() => () => undefined);
  }
}
