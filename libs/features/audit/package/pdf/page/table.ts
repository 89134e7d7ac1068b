import { type Line, LINE_HEIGHT, setText, type Style } from '../text/set';
import { BODY, PAGE, SHADE, STYLES } from './look';
import type { Element, Paper } from './paper';

export interface Column {
  readonly title: string;
  /** In points. The widths of all columns add up to `BODY`. */
  readonly width: number;
}

/** A text of a cell. Several texts are placed below each other. */
export interface Text {
  readonly text: string;
  readonly style: Style;
}

/** The content of one or more columns. */
export interface Cell {
  readonly texts: readonly Text[];
  /** In points. */
  readonly width: number;
}

/** Cells beside each other. */
export type Band = readonly Cell[];

export interface Table {
  /** Draws a row of bands below each other. A row stays on one page unless it is longer than a page. */
  row(bands: readonly Band[]): void;
  end(): void;
}

interface SetCell {
  readonly x: number;
  readonly lines: readonly Line[];
}

const GAP = 6;
const PADDING = 3;
/** The least height that a table needs on a page: its head and a row of some lines. */
const FIRST_ROOM = 80;
const PAGE_ROOM = PAGE.height - PAGE.top - PAGE.bottom;

/** Begins a table. Its head is drawn at the top of the table and again on each page. */
export function openTable(paper: Paper, columns: readonly Column[]): Table {
  const table = paper.element('Table');
  const heads = setBand(
    paper,
    columns.map(({ title, width }) => ({ texts: [{ text: title, style: STYLES.head }], width })),
  );
  const headHeight = heightOf(heads);
  /** Draws the head. The first one is content, and those on further pages are decoration. */
  const head = (draw: (cell: SetCell) => void) => {
    paper.drawDecoration(() => paper.fillRectangle(PAGE.left, paper.y, BODY, headHeight, SHADE));
    heads.forEach(draw);
    paper.y += headHeight;
  };
  const drawCell = ({ x, lines }: SetCell) => paper.lines(lines, x, paper.y + PADDING);
  const repeatHead = () => {
    paper.newPage();
    head((cell) => paper.drawDecoration(() => drawCell(cell)));
  };
  if (paper.remainingHeight() < FIRST_ROOM) paper.newPage();
  const first = paper.element('TR', table);
  head((cell) => paper.draw(paper.element('TH', first), () => drawCell(cell)));
  first.end();
  return {
    row(bands) {
      const set = bands.map((band) => setBand(paper, band));
      const height = set.reduce((sum, cells) => sum + heightOf(cells), 0);
      if (height > paper.remainingHeight() && height <= PAGE_ROOM - headHeight) repeatHead();
      paper.drawDecoration(() => paper.rule(paper.y));
      for (const cells of set) {
        const row = paper.element('TR', table);
        drawBand(paper, cells, row, repeatHead);
        row.end();
      }
    },
    end() {
      table.end();
      paper.drawDecoration(() => paper.rule(paper.y));
      paper.y += 8;
    },
  };
}

function setBand(paper: Paper, band: Band): SetCell[] {
  let x = PAGE.left;
  return band.map(({ texts, width }) => {
    const lines = texts.flatMap(({ text, style }) => setText(paper.fonts, text, style, width - GAP));
    const cell = { x: x + GAP / 2, lines };
    x += width;
    return cell;
  });
}

/** Draws a band, over several pages if it does not fit on one. */
function drawBand(paper: Paper, cells: readonly SetCell[], row: Element, repeatHead: () => void): void {
  const elements = cells.map(() => paper.element('TD', row));
  let rest = cells.map(({ lines }) => lines);
  while (rest.some((lines) => lines.length > 0)) {
    const room = paper.remainingHeight() - 2 * PADDING;
    const counts = rest.map((lines) => countFitting(lines, room));
    if (counts.every((count) => count === 0)) {
      repeatHead();
      continue;
    }
    const drawn = rest.map((lines, i) => lines.slice(0, counts[i]));
    cells.forEach(({ x }, i) => {
      const [element, lines = []] = [elements[i], drawn[i]];
      if (element !== undefined && lines.length > 0)
        paper.draw(element, () => paper.lines(lines, x, paper.y + PADDING));
    });
    paper.y += Math.max(...drawn.map(linesHeight)) + 2 * PADDING;
    rest = rest.map((lines, i) => lines.slice(counts[i]));
  }
}

/** How many lines fit into a height in points. */
function countFitting(lines: readonly Line[], room: number): number {
  let count = 0;
  let height = 0;
  for (const { style } of lines) {
    height += style.size * LINE_HEIGHT;
    if (height > room) break;
    count += 1;
  }
  return count;
}

function linesHeight(lines: readonly Line[]): number {
  return lines.reduce((sum, { style }) => sum + style.size * LINE_HEIGHT, 0);
}

function heightOf(cells: readonly SetCell[]): number {
  return Math.max(...cells.map(({ lines }) => linesHeight(lines))) + 2 * PADDING;
}
