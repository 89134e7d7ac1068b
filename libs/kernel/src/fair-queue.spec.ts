import { FairQueue } from './fair-queue';

const all = () => true;

/** Takes the next item and charges its owner. */
function serve(queue: FairQueue<string>, ms: number, mayTake: (owner: string) => boolean = all): string | undefined {
  const owner = queue.nextOwner(mayTake);
  if (owner === null) return undefined;
  const item = queue.dequeue(owner);
  queue.charge(owner, ms);
  return item;
}

describe('a fair queue', () => {
  let now = 0;
  let queue: FairQueue<string>;
  beforeEach(() => {
    now = 0;
    queue = new FairQueue(() => now);
  });

  it('serves owners in turn, each in the order in which it asked', () => {
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.push(item.slice(0, 1), item);
    expect(Array.from({ length: 7 }, () => serve(queue, 5))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    expect(queue.size).toBe(0);
  });

  it('serves the owner who used least first, whoever came first', () => {
    for (let i = 0; i < 50; i += 1) queue.push('eve', `eve${i}`);
    serve(queue, 500);
    queue.push('ada', 'ada');
    expect(serve(queue, 5)).toBe('ada');
    queue.push('ada', 'again');
    expect(serve(queue, 5)).toBe('again');
    expect(serve(queue, 5)).toBe('eve1');
  });

  it('forgets old use', () => {
    queue.charge('eve', 1_000);
    now = 10_000;
    expect(queue.usedBy('eve')).toBeCloseTo(500);
    now = 1_000_000;
    expect(queue.usedBy('eve')).toBeLessThan(1);
  });

  it('skips an owner who may not be served now, and returns an item to the front of its line', () => {
    queue.push('ada', 'first');
    queue.push('ada', 'second');
    expect(serve(queue, 1, (owner) => owner !== 'ada')).toBeUndefined();
    const taken = queue.dequeue('ada');
    queue.putBack('ada', `${taken} again`);
    expect([serve(queue, 1), serve(queue, 1)]).toEqual(['first again', 'second']);
  });

  it('removes an entry that no longer waits', () => {
    for (const item of ['first', 'second', 'third']) queue.push('ada', item);
    queue.remove('ada', 'second');
    queue.remove('ada', 'nothing');
    queue.remove('eve', 'first');
    expect(queue.size).toBe(2);
    expect([serve(queue, 1), serve(queue, 1), serve(queue, 1)]).toEqual(['first', 'third', undefined]);
  });

  it('estimates the duration of a line by the earlier use of its owner', () => {
    expect(queue.expectedWait('eve')).toBe(0);
    for (let i = 0; i < 20; i += 1) queue.charge('eve', 3_000);
    for (let i = 0; i < 10; i += 1) queue.push('eve', `${i}`);
    expect(queue.expectedWait('eve')).toBeGreaterThan(25_000);
    expect(queue.takeNewest('eve')).toBe('9');
    expect(queue.takeNewest('ada')).toBeUndefined();
    expect(queue.size).toBe(9);
    expect(queue.clear()).toHaveLength(9);
    expect(queue.expectedWait('eve')).toBe(0);
  });
});
