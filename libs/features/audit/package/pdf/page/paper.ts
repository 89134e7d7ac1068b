import type PDFDocument from 'pdfkit';
import type { Parse } from '../fonts/font';
import { type Fonts, openFonts } from '../fonts/fonts';
import { type Line, LINE_HEIGHT, setLine, setText, type Style } from '../text/set';
import { BODY, GREY, PAGE, RULE, STYLES } from './look';
import { openTotal } from './total';

export type Element = PDFKit.PDFStructureElement;

/** The metadata of a document. */
export interface Cover {
  readonly title: string;
  readonly subject: string;
  /** The text at the top of each page. */
  readonly header: string;
  /** The text at the foot of each page. */
  readonly footer: string;
  /** Identifies the state that the document shows. The id of the document derives from it. */
  readonly state: string;
  /** The date of the document: integer milliseconds. */
  readonly at: number;
}

/** Pages that are filled from top to bottom. A page can be sent as soon as the next one begins. */
export interface Paper {
  readonly fonts: Fonts;
  /** The position of the next item, from the top of the page. */
  y: number;
  /** Points that are left on the page. */
  remainingHeight(): number;
  newPage(): void;
  /** Begins a section of the document, with a bookmark. */
  section(title: string): void;
  /** Adds an element to the document's structure, within the present section or another element. */
  element(tag: string, within?: Element): Element;
  /** Draws the content of an element. No page may begin meanwhile. */
  draw(element: Element, drawing: () => void): void;
  /** Draws decoration, which is not content: rules, shades, repeated heads. */
  drawDecoration(drawing: () => void): void;
  /** Draws lines below each other. */
  lines(lines: readonly Line[], x: number, y: number): void;
  /** Draws text over the whole width, on as many pages as it needs. */
  text(text: string, style?: Style, tag?: string): void;
  rule(y: number): void;
  fillRectangle(x: number, y: number, width: number, height: number, color: string): void;
  /** The bytes that were drawn since the last call. */
  takeBytes(): Buffer[];
  end(): void;
}

/** The least height that a section needs on a page: its title, the head of a table and a row. */
const SECTION_ROOM = 120;
const FOOT = { ...STYLES.small, size: 7.5 };

/** pdfkit, and the font reader of fontkit, on which pdfkit depends. */
export interface Libraries {
  readonly Document: typeof PDFDocument;
  readonly parse: Parse;
}

export function openPaper({ Document, parse }: Libraries, cover: Cover): Paper {
  const fonts = openFonts(parse);
  const doc = new Document(optionsOf(cover));
  const root = doc.struct('Document');
  doc.addStructure(root);
  let section = root;
  let pages = 0;
  const draw = (line: Line, x: number, y: number) => {
    const { size, color } = line.style;
    for (const { text, font, x: from } of line.pieces) {
      doc.font(font.name).fontSize(size).fillColor(color);
      if (font.thin) doc.lineWidth(size * 0.025).strokeColor(color);
      // Without a width and with features, pdfkit breaks no lines and does not change the text.
      const asItIs = { lineBreak: false, features: [], baseline: 'alphabetic' as const, textWidth: 0, wordCount: 1 };
      doc.text(text, x + from, y, { ...asItIs, ...(font.thin ? { fill: true, stroke: true } : {}) });
    }
  };
  const register = (line: Line) => {
    for (const { font } of line.pieces) doc.registerFont(font.name, font.source as Buffer);
    return line;
  };
  const drawLines = (all: readonly Line[], x: number, y: number) => {
    let baseline = y;
    for (const line of all) {
      const height = line.style.size * LINE_HEIGHT;
      draw(register(line), x, baseline + height * 0.75);
      baseline += height;
    }
  };
  const rule = (y: number) => {
    doc.lineWidth(0.5).strokeColor(RULE);
    doc
      .moveTo(PAGE.left, y)
      .lineTo(PAGE.width - PAGE.right, y)
      .stroke();
  };
  const total = openTotal(
    doc,
    () => {
      const [textRun] = setLine(fonts, '0', FOOT, BODY).pieces;
      if (textRun !== undefined)
        doc.registerFont(textRun.font.name, textRun.font.source as Buffer).font(textRun.font.name);
    },
    FOOT.size,
  );
  const header = setLine(fonts, cover.header, FOOT, BODY);
  const footer = setLine(fonts, cover.footer, FOOT, BODY - 100);
  const furniture = () => {
    const foot = PAGE.height - 40;
    const page = setLine(fonts, `Page ${pages} of`, FOOT, BODY);
    const from = PAGE.width - PAGE.right - page.width - 20;
    drawLines([header], PAGE.left, 36);
    drawLines([footer], PAGE.left, foot);
    drawLines([page], from, foot);
    doc.fillColor(GREY);
    total.place(from + page.width, foot + FOOT.size * LINE_HEIGHT * 0.75);
    [50, foot - 5].forEach(rule);
  };
  const paper: Paper = {
    fonts,
    y: 0,
    remainingHeight: () => PAGE.height - PAGE.bottom - paper.y,
    newPage() {
      doc.addPage();
      pages += 1;
      paper.drawDecoration(furniture);
      paper.y = PAGE.top;
    },
    section(title) {
      if (paper.remainingHeight() < SECTION_ROOM) paper.newPage();
      if (section !== root) section.end();
      section = paper.element('Sect', root);
      doc.outline.addItem(title);
      paper.text(title, STYLES.section, 'H2');
      paper.y += 4;
    },
    element(tag, within = section) {
      const element = doc.struct(tag);
      within.add(element);
      return element;
    },
    draw: (element, drawing) => void element.add(drawing),
    drawDecoration(drawing) {
      doc.markContent('Artifact', { type: 'Layout' });
      drawing();
      doc.endMarkedContent();
    },
    lines: drawLines,
    text(text, style = STYLES.body, tag = 'P') {
      const element = paper.element(tag);
      for (const line of setText(fonts, text, style, BODY)) {
        const height = style.size * LINE_HEIGHT;
        if (paper.remainingHeight() < height) paper.newPage();
        paper.draw(element, () => drawLines([line], PAGE.left, paper.y));
        paper.y += height;
      }
      element.end();
    },
    rule,
    fillRectangle: (x, y, width, height, color) => void doc.rect(x, y, width, height).fill(color),
    takeBytes() {
      const pieces: Buffer[] = [];
      for (let piece: Buffer | null; (piece = doc.read() as Buffer | null) !== null;) pieces.push(piece);
      return pieces;
    },
    end() {
      total.end(pages);
      root.end();
      doc.end();
    },
  };
  paper.newPage();
  return paper;
}

/**
 * The options of the document. They do not depend on the clock or on random numbers, so the same report gives the same bytes. This includes its id,
 * which pdfkit derives from the info.
 */
function optionsOf({ title, subject, state, at }: Cover): PDFKit.PDFDocumentOptions {
  const date = new Date(at);
  const margins = { top: 0, bottom: 0, left: 0, right: 0 };
  return {
    autoFirstPage: false,
    size: [PAGE.width, PAGE.height],
    margins,
    fontLayoutCache: false,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: plainText(title),
      Subject: plainText(subject),
      Creator: 'Deployment Assurance',
      Producer: 'PDFKit',
      Keywords: state,
      CreationDate: date,
      ModDate: date,
    },
  };
}

/** Replaces characters that pdfkit writes into XML without escaping. */
function plainText(text: string): string {
  return text.replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›');
}
