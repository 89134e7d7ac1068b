import { setImmediate as turn } from 'node:timers/promises';
import { endsWithin } from '@assurance/kernel';
import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';

interface WaitingItem<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** How long requests wait for the previous group (milliseconds). A group takes much less time while MongoDB answers. */
const GROUP_WAIT_MS = 1_000;

/**
 * Groups requests that arrive in one turn of the event loop, or while a group is running. The next group starts when
 * the last one ends, or after `wait`: a group that hangs delays others no longer than that. If the server refuses a
 * group, each request runs alone, so that only the faulty one gets the error.
 *
 * @param choose is called for each group; the result decides for each waiting request, in order, whether it joins, and must accept the first
 * @param carryOut runs a group and returns the outcome of each request; may be repeated, and may run while another group hangs
 * @param wait how long a group waits for the previous one (milliseconds)
 */
export function groupByGroup<Item, Outcome>(
  choose: () => (item: Item) => boolean,
  carryOut: (group: readonly Item[]) => Promise<readonly Outcome[]>,
  wait = GROUP_WAIT_MS,
): (item: Item) => Promise<Outcome> {
  let waitingItems: WaitingItem<Item, Outcome>[] = [];
  let busy = false;

  const take = (): WaitingItem<Item, Outcome>[] => {
    const fits = choose();
    const group: WaitingItem<Item, Outcome>[] = [];
    const rest: WaitingItem<Item, Outcome>[] = [];
    for (const waitingItem of waitingItems) (fits(waitingItem.item) ? group : rest).push(waitingItem);
    waitingItems = rest;
    return group;
  };

  const settle = async (group: readonly WaitingItem<Item, Outcome>[]): Promise<void> => {
    try {
      const outcomes = await carryOut(group.map(({ item }) => item));
      group.forEach(({ resolve }, i) => resolve(outcomes[i]!));
    } catch (error) {
      if (group.length > 1 && !(error instanceof StoreUnavailable || error instanceof StoreFull)) {
        for (const waitingItem of group) await settle([waitingItem]);
        return;
      }
      for (const { reject } of group) reject(error);
    }
  };

  const run = async (): Promise<void> => {
    busy = true;
    while (waitingItems.length > 0) {
      // Callers that continue after one group make their next requests in the same turn of the event loop. Without this
      // wait, the first of them would be sent alone.
      await turn();
      await endsWithin(wait, settle(take()));
    }
    busy = false;
  };

  return (item) =>
    new Promise<Outcome>((resolve, reject) => {
      waitingItems.push({ item, resolve, reject });
      if (!busy) void run();
    });
}

/** Limits groups to this number of requests. */
export function maxItems(maxCount: number): () => () => boolean {
  return () => {
    let count = 0;
    return () => (count += 1) <= maxCount;
  };
}
