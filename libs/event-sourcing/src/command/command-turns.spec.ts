import { Refused } from '@assurance/contracts/http/refusals';
import { CommandQueue, WAITING_MAX } from './command-turns';

/** Work that the test ends. */
function heldWork() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end: () => end(), work: () => ended };
}
const TOO_BUSY = new Refused({ kind: 'too-busy' });
const ok = () => Promise.resolve('done');

describe('commands on one stream', () => {
  it('run one after another in order, whether or not each succeeds', async () => {
    const turns = new CommandQueue();
    const order: string[] = [];
    let running = 0;
    const all = Array.from({ length: 20 }, (_, i) =>
      turns.run('acme', 'a', async () => {
        order.push(`${i}`);
        expect((running += 1)).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (i % 3 === 0) throw new Error(`${i} failed`);
        return i;
      }),
    );
    const ended = await Promise.allSettled(all);
    expect(order).toEqual(ended.map((_, i) => `${i}`));
    expect(ended.map(({ status }) => status)).toEqual(ended.map((_, i) => (i % 3 === 0 ? 'rejected' : 'fulfilled')));
  });

  it('do not wait for those on another stream', async () => {
    const turns = new CommandQueue();
    const first = heldWork();
    const slow = turns.run('acme', 'a', first.work);
    const waits = turns.run('acme', 'a', ok);
    await expect(turns.run('acme', 'b', ok)).resolves.toBe('done');
    first.end();
    await Promise.all([slow, waits]);
  });

  it('are refused when too many wait, and the others keep their turns', async () => {
    const turns = new CommandQueue();
    const first = heldWork();
    const ran: number[] = [];
    const all = [turns.run('acme', 'a', first.work)];
    for (let i = 0; i < WAITING_MAX.stream; i += 1) {
      all.push(
        turns.run('acme', 'a', () => {
          ran.push(i);
          return Promise.resolve();
        }),
      );
    }
    await expect(turns.run('acme', 'a', ok)).rejects.toEqual(TOO_BUSY);
    expect(ran).toEqual([]);
    first.end();
    await Promise.all(all);
    expect(ran).toHaveLength(WAITING_MAX.stream);
    await expect(turns.run('acme', 'a', ok)).resolves.toBe('done');
  });

  it('are refused when too many of one organization wait, while those of others are accepted', async () => {
    const turns = new CommandQueue();
    const first = heldWork();
    const streams = Array.from({ length: WAITING_MAX.organization / WAITING_MAX.stream + 1 }, (_, i) => `acme/${i}`);
    const all = streams.map((stream) => turns.run('acme', stream, first.work));
    for (const stream of streams.slice(1)) {
      for (let i = 0; i < WAITING_MAX.stream; i += 1) all.push(turns.run('acme', stream, () => Promise.resolve()));
    }
    await expect(turns.run('acme', streams[0]!, ok)).rejects.toEqual(TOO_BUSY);
    const foreign = heldWork();
    const others = [turns.run('other', 'b', foreign.work), turns.run('other', 'b', () => Promise.resolve())];
    for (const { end } of [first, foreign]) end();
    await Promise.all([...all, ...others]);
  });
});
