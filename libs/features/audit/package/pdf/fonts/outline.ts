/** A step of an outline in fontkit's form. */
export interface Step {
  readonly command: string;
  readonly args: readonly number[];
}

const ON_CURVE = 1;
const OFF_CURVE = 0;

/**
 * Encodes the outline of a glyph for TrueType's `glyf` table (OpenType, "Simple Glyph Description"), without instructions. The same function of
 * fontkit 2.0.4 fails, because it uses buffers of restructure before version 3.
 */
export function encodeOutline(steps: readonly Step[]): Uint8Array {
  const ends: number[] = [];
  const points: { readonly flag: number; readonly x: number; readonly y: number }[] = [];
  for (const { command, args } of steps) {
    if (command === 'closePath') {
      ends.push(points.length - 1);
      continue;
    }
    for (let i = 0; i + 1 < args.length; i += 2) {
      const flag = command === 'quadraticCurveTo' && i === 0 ? OFF_CURVE : ON_CURVE;
      points.push({ flag, x: Math.round(args[i] ?? 0), y: Math.round(args[i + 1] ?? 0) });
    }
  }
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const words = [ends.length, minimum(xs), minimum(ys), maximum(xs), maximum(ys), ...ends, 0];
  const size = words.length * 2 + points.length * 5;
  // Glyphs begin at multiples of 4.
  const padded = Buffer.alloc(Math.ceil(size / 4) * 4);
  let at = 0;
  for (const word of words) at = padded.writeInt16BE(word, at);
  for (const { flag } of points) at = padded.writeUInt8(flag, at);
  for (const places of [xs, ys])
    places.forEach((place, i) => (at = padded.writeInt16BE(place - (places[i - 1] ?? 0), at)));
  return padded;
}

function minimum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), numbers[0] ?? 0);
}

function maximum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), numbers[0] ?? 0);
}
