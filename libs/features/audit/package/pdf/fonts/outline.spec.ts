import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import { openThin } from './font';
import { encodeOutline } from './outline';

it('encodes an outline as the table of glyphs holds it: contours, box, points of the curve and beside it', () => {
  const bytes = Buffer.from(
    encodeOutline([
      { command: 'moveTo', args: [10, 20] },
      { command: 'lineTo', args: [110, 20] },
      { command: 'quadraticCurveTo', args: [120, 70, 10, -5] },
      { command: 'closePath', args: [] },
    ]),
  );
  const word = (at: number) => bytes.readInt16BE(at);
  expect([0, 2, 4, 6, 8].map(word)).toEqual([1, 10, -5, 120, 70]);
  expect([10, 12].map(word)).toEqual([3, 0]);
  expect([...bytes.subarray(14, 18)]).toEqual([1, 1, 0, 1]);
  expect([18, 20, 22, 24].map(word)).toEqual([10, 100, 10, -110]);
  expect([26, 28, 30, 32].map(word)).toEqual([20, 0, 50, -75]);
  expect(bytes.length % 4).toBe(0);
});

it('gives a part of a WOFF2 font the outlines that the font has', () => {
  const path = require.resolve('@fontsource-variable/noto-sans-sc/unicode.json').replace(/unicode\.json$/, '');
  const file = `${path}files/noto-sans-sc-119-wght-normal.woff2`;
  const parsed = create(readFileSync(file)) as Font;
  const { source } = openThin((bytes) => create(bytes) as Font, 'thin', file);
  const subset = (source as Font).createSubset();
  const glyph = parsed.glyphForCodePoint('中'.codePointAt(0) ?? 0);
  subset.includeGlyph(glyph);
  const part = create(Buffer.from(subset.encode())) as Font;
  expect(part.getGlyph(1).path.toSVG()).toBe(glyph.path.toSVG());
});
