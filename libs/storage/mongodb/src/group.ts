import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups requests that arrive while a group is running; the next group starts when the last one ends, without a timer. If the server
 * refuses a group, each request runs alone, so that only the faulty one gets the error.
 *
 * @param choose for one group: says of each waiting request, in order, whether it joins; the first always must
 * @param carryOut runs a group and returns each outcome; may be repeated
 */
export function groupByGroup<Item, Outcome>(
  choose: () => (item: Item) => boolean,
  carryOut: (group: readonly Item[]) => Promise<readonly Outcome[]>,
): (item: Item) => Promise<Outcome> {
  let waiting: Waiting<Item, Outcome>[] = [];
  let busy = false;

  const take = (): Waiting<Item, Outcome>[] => {
    const fits = choose();
    const group: Waiting<Item, Outcome>[] = [];
    const rest: Waiting<Item, Outcome>[] = [];
    for (const one of waiting) (fits(one.item) ? group : rest).push(one);
    waiting = rest;
    return group;
  };

  const settle = async (group: readonly Waiting<Item, Outcome>[]): Promise<void> => {
    try {
      const outcomes = await carryOut(group.map(({ item }) => item));
      group.forEach(({ resolve }, i) => resolve(outcomes[i]!));
    } catch (error) {
      if (group.length > 1 && !(error instanceof StoreUnavailable || error instanceof StoreFull)) {
        for (const one of group) await settle([one]);
        return;
      }
      for (const { reject } of group) reject(error);
    }
  };

  const run = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) await settle(take());
    busy = false;
  };

  return (item) =>
    new Promise<Outcome>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void run();
    });
}
