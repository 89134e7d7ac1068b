/** Characters between which a line may break. */
const FREE =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3001-\\u303f\\u30fb\\u30fc\\uff01-\\uffee';
/** Blanks end a word, and belong to it. */
const WORDS = new RegExp(`[${FREE}]\\s*|[^\\s${FREE}]+\\s*|\\s+`, 'gu');
/** The parts of a word that is longer than a line. It breaks after these characters, which include the end of a character's number (`⟩`). */
const PARTS = /[^/\\_.:@,;=&?|⟩-]*[/\\_.:@,;=&?|⟩-]+\s*|[^/\\_.:@,;=&?|⟩-]+/gu;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Breaks a text into lines. Each is as long as the width allows. Lines end after blanks and between East Asian characters. A word that is longer than
 * a line breaks after a dash, a dot or a similar character, or otherwise between any two characters.
 *
 * @param widthOf measures a text in the same unit as the width
 */
export function linesOf(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  const end = () => {
    lines.push(line.trimEnd());
    [line, lineWidth] = ['', 0];
  };
  const add = (piece: string, finer: readonly ((piece: string) => readonly string[])[]) => {
    const pieceWidth = widthOf(piece.trimEnd());
    const [split, ...others] = finer;
    if (pieceWidth > width && split !== undefined) {
      for (const part of split(piece)) add(part, others);
      return;
    }
    if (lineWidth + pieceWidth > width && line !== '') end();
    line += piece;
    lineWidth += widthOf(piece);
  };
  for (const [word] of text.matchAll(WORDS)) add(word, [partsOf, graphemesOf]);
  end();
  return lines.filter((candidate) => candidate !== '');
}

function partsOf(word: string): string[] {
  return word.match(PARTS) ?? [word];
}

function graphemesOf(part: string): string[] {
  return Array.from(graphemes.segment(part), ({ segment }) => segment);
}
