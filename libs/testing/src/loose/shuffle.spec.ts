import fc from 'fast-check';
import { makeCommit, nextCommit } from '../conformance/harness';
import { interleave, repeat, shuffle } from './shuffle';
import type { Commit } from '@assurance/storage-ports';

const random = fc
  .array(fc.double({ min: 0, max: 0.999999, noNaN: true }), { minLength: 1, maxLength: 50 })
  .map((given) => {
    let at = 0;
    return () => given[(at += 1) % given.length]!;
  });

const batch = fc.array(fc.nat(3), { minLength: 1, maxLength: 15 }).map((streams) => {
  const newest = new Map<number, Commit>();
  return streams.map((stream) => {
    const before = newest.get(stream);
    const commit = before === undefined ? makeCommit() : nextCommit(before);
    newest.set(stream, commit);
    return commit;
  });
});

function firstTimes<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

describe('loose order', () => {
  it('keeps every item when it shuffles', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), random, (items, by) => {
        expect(shuffle(items, by).sort()).toEqual([...items].sort());
      }),
    );
  });

  it('keeps each stream’s own order when it interleaves', () => {
    fc.assert(
      fc.property(batch, random, (commits, by) => {
        const mixed = interleave(commits, by);
        expect(mixed).toHaveLength(commits.length);
        for (const { stream } of commits) {
          const of = (all: readonly Commit[]) => all.filter((commit) => commit.stream === stream);
          expect(of(mixed)).toEqual(of(commits));
        }
      }),
    );
  });

  it('gives every commit at least twice, first in order, never an empty piece', () => {
    fc.assert(
      fc.property(batch, random, (commits, by) => {
        const deliveries = repeat(commits, by);
        expect(deliveries.every(({ length }) => length > 0)).toBe(true);
        expect(firstTimes(deliveries.flat())).toEqual(commits);
        for (const commit of commits)
          expect(deliveries.flat().filter((delivered) => delivered === commit).length).toBeGreaterThan(1);
      }),
    );
  });

  it('comes in more than one order', () => {
    const commits = [makeCommit(), makeCommit(), makeCommit()];
    let seed = 1;
    const by = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const orders = new Set(
      Array.from({ length: 50 }, () =>
        interleave(commits, by)
          .map(({ stream }) => stream)
          .join(),
      ),
    );
    expect(orders.size).toBe(6);
  });
});
