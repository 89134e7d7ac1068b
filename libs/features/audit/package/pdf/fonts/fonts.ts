import { eastAsianFont } from './east-asian';
import { type Font, openFont, type Parse } from './font';

/** The face of a text: regular, bold, or with letters of one width. */
export type FontFace = 'sans' | 'bold' | 'mono';

const FILES: Readonly<Record<FontFace, () => string>> = {
  sans: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
  mono: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
};

/** The fonts of one report, each opened when a character first needs it. */
export interface Fonts {
  /** The font that draws a character; null if there is none. */
  fontFor(codePoint: number, face: FontFace): Font | null;
}

export function openFonts(parse: Parse): Fonts {
  const openFonts = new Map<FontFace, Font>();
  const loadedFonts = { sans: new Map(), bold: new Map(), mono: new Map() } as Record<
    FontFace,
    Map<number, Font | null>
  >;
  const eastAsian = eastAsianFont(parse);
  const open = (face: FontFace): Font => {
    const font = openFonts.get(face) ?? openFont(parse, face, FILES[face]());
    openFonts.set(face, font);
    return font;
  };
  const find = (codePoint: number, face: FontFace): Font | null => {
    for (const candidate of [face, 'sans'] as const) if (open(candidate).covers(codePoint)) return open(candidate);
    return eastAsian(codePoint);
  };
  return {
    fontFor(codePoint, face) {
      const before = loadedFonts[face].get(codePoint);
      if (before !== undefined) return before;
      const font = find(codePoint, face);
      loadedFonts[face].set(codePoint, font);
      return font;
    },
  };
}
