import fc from 'fast-check';
import { mean, NO_SKETCH, quantile, type Sketch, SKETCH_ERROR, sketchOf, sketchSum } from './sketch';

/** Lead times in seconds: mostly hours and days, some negative, some zero. */
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 400 * 86_400 }),
  fc.constant(0),
  fc.integer({ min: -86_400, max: -1 }),
);
const ALL = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

describe('a sketch', () => {
  it('has every quantile within its error, and the mean', () => {
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 1, maxLength: 200 }), (numbers) => {
        const sketch = sketchOf(numbers);
        const sorted = [...numbers].sort((a, b) => a - b);
        for (const part of ALL) {
          const exact = sorted[Math.floor(part * (sorted.length - 1))] ?? NaN;
          const result = quantile(sketch, part) ?? NaN;
          expect(Math.abs(result - exact)).toBeLessThanOrEqual(Math.abs(exact) * SKETCH_ERROR * 1.000001);
        }
        expect(mean(sketch)).toBeCloseTo(numbers.reduce((sum, value) => sum + value, 0) / numbers.length, 3);
      }),
    );
  });

  it('of parts is that of all, however they are cut and ordered, and also once it was kept as JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.array(seconds)), fc.nat(), (parts, turn) => {
        const sketches = parts.map((part) => JSON.parse(JSON.stringify(sketchOf(part))) as Sketch);
        const turned = [...sketches.slice(turn % (parts.length + 1)), ...sketches.slice(0, turn % (parts.length + 1))];
        const { sum: _, ...whole } = sketchOf(parts.flat());
        const { sum: __, ...merged } = sketchSum(turned);
        expect(merged).toEqual(whole);
      }),
    );
  });

  it('without values has no quantile', () => {
    expect([quantile(NO_SKETCH, 0.5), mean(NO_SKETCH)]).toEqual([null, null]);
  });
});
