import fc from 'fast-check';
import { afterChange, changedSince, type Changes } from './changes';

const after = (...batches: readonly (readonly string[])[]) =>
  batches.reduce<Changes | null>((before, streams) => afterChange(before, streams), null) as Changes;

describe('changes of an organization', () => {
  it('name what changed after a revision', () => {
    const result = after(['environment/1'], ['flow/1', 'flow/2'], ['environment/1']);
    expect(changedSince(result, 3)).toEqual([]);
    expect(changedSince(result, 2)).toEqual(['environment/1']);
    expect(changedSince(result, 0)).toHaveLength(3);
  });

  it('say so when what was asked for is forgotten, or of another store', () => {
    const many = Array.from({ length: 150 }, (_, i) => [`trail/f/${i}`]);
    const result = after(...many);
    expect([Object.keys(result.streams).length, result.forgotten]).toEqual([100, 50]);
    expect(changedSince(result, 49)).toBeNull();
    expect(changedSince(result, 50)).toHaveLength(100);
    expect(changedSince(result, 151)).toBeNull();
  });

  it('miss nothing, whatever is taken in which order and how often', () => {
    const stream = fc.integer({ min: 0, max: 250 }).map((i) => `trail/f/${i}`);
    const batches = fc.array(fc.array(stream, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(batches, fc.nat(40), (all, seen) => {
        const since = Math.min(seen, all.length);
        const results = changedSince(after(...all), since);
        const really = new Set(all.slice(since).flat());
        return results === null || (results.length === really.size && results.every((change) => really.has(change)));
      }),
    );
  });
});
