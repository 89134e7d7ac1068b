import bidiFactory from 'bidi-js';

const bidi = bidiFactory();
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A part of a line with one direction. */
export interface Run {
  /** Its characters in reading order. */
  readonly text: string;
  readonly rightToLeft: boolean;
}

export type Direction = 'ltr' | 'rtl';

/** The direction of a whole text, which is the direction of its first letter. */
export function directionOf(text: string): Direction {
  if (!RIGHT_TO_LEFT.test(text)) return 'ltr';
  return (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr';
}

/** The parts of a line from left to right, in the order of the Unicode bidirectional algorithm (UAX 9). */
export function runsOf(line: string, direction: Direction): Run[] {
  if (!RIGHT_TO_LEFT.test(line)) return [{ text: line, rightToLeft: false }];
  const levels = bidi.getEmbeddingLevels(line, direction);
  const mirroredCharacters = bidi.getMirroredCharactersMap(line, levels.levels);
  const groups: { level: number; at: number[] }[] = [];
  for (const index of bidi.getReorderedIndices(line, levels)) {
    const level = levels.levels[index] ?? 0;
    const last = groups.at(-1);
    if (last?.level === level) last.at.push(index);
    else groups.push({ level, at: [index] });
  }
  return groups.map(({ level, at }) => {
    const rightToLeft = level % 2 === 1;
    const read = rightToLeft ? at.toReversed() : at;
    return { text: read.map((index) => mirroredCharacters.get(index) ?? line[index] ?? '').join(''), rightToLeft };
  });
}
