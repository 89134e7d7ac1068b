import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Documents } from '@assurance/storage-ports';

/** So long may all else of a turn of the process take while nobody is kept waiting (milliseconds). */
const FREE_MS = 4;
/** Where others are at work: how much more time than they took they are left before the next piece, and at most (milliseconds). */
const LEFT_TO_OTHERS = 2;
const REST_MAX_MS = 100;

/**
 * Turns for long work that no request waits for: one piece at a time, each after what else the process has to do; where that is much, after a rest.
 * So requests wait for one piece at most, and have most of the time; where there are none, the work has all of it.
 */
export class Pace {
  private last = Promise.resolve();

  /** @param steady milliseconds of a clock that never jumps */
  constructor(private readonly steady: () => number) {}

  /** Resolves when the next piece may be done: a few milliseconds of it. */
  turn(): Promise<void> {
    return (this.last = this.last.then(() => this.next()));
  }

  private async next(): Promise<void> {
    // The piece before may still be at it: what comes after it is the others'.
    await setImmediate();
    const begun = this.steady();
    await setImmediate();
    const others = this.steady() - begun;
    if (others > FREE_MS) await sleep(Math.min(others * LEFT_TO_OTHERS, REST_MAX_MS));
  }
}

/** Documents of which each operation waits for its turn. */
export function paced(documents: Documents, pace: Pace): Documents {
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    await pace.turn();
    return act();
  };
  return {
    collection(definition) {
      const collection = documents.collection(definition);
      return {
        get: (id) => inTurn(() => collection.get(id)),
        getMany: (ids) => inTurn(() => collection.getMany(ids)),
        find: (query) => inTurn(() => collection.find(query)),
        count: (where) => inTurn(() => collection.count(where)),
        scan: (after, limit) => inTurn(() => collection.scan(after, limit)),
        write: (writes) => inTurn(() => collection.write(writes)),
        merge: (ids, change) => inTurn(() => collection.merge(ids, change)),
      };
    },
    writeInOrder: (steps) => inTurn(() => documents.writeInOrder(steps)),
    persist: () => documents.persist(),
    drop: (definition) => documents.drop(definition),
  };
}
