import { type Commit, FEED_BATCH_BYTES_MAX } from '@assurance/storage-ports';
import { makeCommit } from '@assurance/testing/conformance/harness';
import { joinBatches } from './join-batches';

const commits = (count: number) => Array.from({ length: count }, () => makeCommit());
const piece = (count: number, bytes = count) => ({ commits: commits(count), bytes });
const going = new AbortController().signal;

/** A handler that takes a moment, and the batches that it was given. */
function handler() {
  const batches: (readonly Commit[])[] = [];
  let underWay = 0;
  const handle = async (batch: readonly Commit[]) => {
    batches.push(batch);
    expect((underWay += 1)).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };
  return { batches, handle, sizes: () => batches.map(({ length }) => length) };
}

describe('pieces of several partitions', () => {
  it('go together when they come while a batch is under way, each whole, and one batch at a time', async () => {
    const { batches, handle } = handler();
    const hand = joinBatches(handle, 10, going);
    const pieces = [piece(1), piece(4), piece(6), piece(5), piece(5)];
    expect(await Promise.all(pieces.map(hand))).toEqual([true, true, true, true, true]);
    const [first, second, third, fourth, fifth] = pieces.map((piece) => piece.commits);
    expect(batches).toEqual([first, [...second!, ...third!], [...fourth!, ...fifth!]]);
  });

  it('keep the bound on bytes, but for one that is larger by itself', async () => {
    const { handle, sizes } = handler();
    const hand = joinBatches(handle, 10, going);
    const half = FEED_BATCH_BYTES_MAX / 2;
    await Promise.all([piece(1), piece(1, 3 * half), piece(1, half), piece(1, half), piece(1, 1)].map(hand));
    expect(sizes()).toEqual([1, 1, 2, 1]);
  });

  it('are all unhandled when their batch fails, which is reported once', async () => {
    let fails = true;
    const hand = joinBatches(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve()), 10, going);
    const all = [piece(1), piece(2), piece(3)];
    const outcomes = await Promise.allSettled(all.map(hand));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: new Error('no') },
      { status: 'rejected', reason: new Error('no') },
      { status: 'fulfilled', value: false },
    ]);
    fails = false;
    expect(await Promise.all(all.map(hand))).toEqual([true, true, true]);
  });

  it('are not handed over any more once the consumer stops', async () => {
    const stopping = new AbortController();
    const { handle, sizes } = handler();
    const hand = joinBatches(handle, 10, stopping.signal);
    const all = [piece(1), piece(2)].map(hand);
    stopping.abort();
    expect(await Promise.all(all)).toEqual([true, false]);
    expect(sizes()).toEqual([1]);
  });
});
