import { readFileSync } from 'node:fs';
import type { Font as Parsed, Glyph } from 'fontkit';
import { encodeOutline, type Step } from './outline';

/** A font that was opened for one report. */
export interface Font {
  /** Unique among the fonts of the report. */
  readonly name: string;
  /** True if its outlines are thin. Then each glyph is drawn with a line around it. */
  readonly thin: boolean;
  /** The font in the form that pdfkit accepts. */
  readonly source: object;
  covers(codePoint: number): boolean;
  /** The width of a text as a multiple of the font's size. */
  widthOf(text: string): number;
}

/** Letters that change with their neighbours, right-to-left letters, and combining marks. */
const SHAPED = /[\p{M}\u0590-\u05ff\u0620-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

interface Path {
  readonly commands: readonly Step[];
}

/** Members of fontkit's fonts that its types lack. */
interface FontInternals {
  variationCoords: readonly number[] | null;
  createSubset(): { glyphEncoder: { encodeSimple(path: Path): Uint8Array } };
}

/** Parses the file of a font. */
export type Parse = (file: Buffer) => Parsed;

/** Opens a TrueType file. */
export function openFont(parse: Parse, name: string, path: string): Font {
  return fontOf(name, parse(readFileSync(path)), false);
}

/** Opens a WOFF2 file with outlines of variable weight. fontkit only reads the thinnest weight. */
export function openThin(parse: Parse, name: string, path: string): Font {
  const parsed = parse(readFileSync(path)) as Parsed & FontInternals;
  // If coordinates are set, fontkit encodes glyphs again. Otherwise it copies them from a place that a WOFF2 file does not have.
  parsed.variationCoords = [parsed.variationAxes['wght']?.default ?? 0];
  const createSubset = parsed.createSubset.bind(parsed);
  parsed.createSubset = () =>
    Object.assign(createSubset(), { glyphEncoder: { encodeSimple: (path: Path) => encodeOutline(path.commands) } });
  return fontOf(name, parsed, true);
}

function fontOf(name: string, parsed: Parsed, thin: boolean): Font {
  const shape = parsed.layout.bind(parsed);
  const place = glyphPlacer(parsed);
  const layout = (text: string) => (SHAPED.test(text) ? shape(text) : place(text));
  return {
    name,
    thin,
    source: Object.assign(parsed, { layout }),
    covers: (codePoint) => parsed.hasGlyphForCodePoint(codePoint),
    widthOf: (text) => layout(text).advanceWidth / parsed.unitsPerEm,
  };
}

/** Places one glyph for each character, from left to right. This takes about a hundredth of the time of shaping. */
function glyphPlacer(parsed: Parsed) {
  const cache = new Map<string, Glyph>();
  const glyphOf = (character: string) => {
    const glyph = cache.get(character) ?? parsed.glyphForCodePoint(character.codePointAt(0) ?? 0);
    cache.set(character, glyph);
    return glyph;
  };
  return (text: string) => {
    const glyphs = Array.from(text, glyphOf);
    const positions = glyphs.map((glyph) => ({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }));
    return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) };
  };
}
