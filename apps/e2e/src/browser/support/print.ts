import type { Page } from 'playwright-core';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.js';
import type { TextItem } from 'pdfjs-dist/types/src/display/api';

/** The margins that browsers print with. */
const MARGIN = { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' };
const PAPERS = [{ format: 'A4' }, { format: 'Letter' }, { format: 'A4', landscape: true }] as const;
/** Points by which two texts may touch: letters have space around them. */
const TOUCHING = 1.5;
/** The part of a line's height that its letters fill. */
const LETTERS = 0.7;

/** The texts of a page as it is printed that cover each other or leave the paper; one text a finding. */
export async function covered(page: Page): Promise<string[]> {
  const results = new Set<string>();
  for (const paper of PAPERS) {
    const data = new Uint8Array(await page.pdf({ ...paper, margin: MARGIN }));
    const document = await getDocument({ data, verbosity: 0 }).promise;
    for (let number = 1; number <= document.numPages; number += 1) {
      const sheet = await document.getPage(number);
      const [, , width = 0] = sheet.view;
      const { items } = await sheet.getTextContent();
      const texts = items.filter((item): item is TextItem => 'str' in item && item.str.trim() !== '').map(boxOf);
      for (const [i, text] of texts.entries()) {
        if (text.right > width) results.add(`${paper.format}: ${text.str} leaves the paper`);
        for (const other of texts.slice(i + 1)) {
          if (isOver(text, other)) results.add(`${paper.format}: ${text.str} and ${other.str}`);
        }
      }
    }
  }
  return [...results];
}

type Box = ReturnType<typeof boxOf>;

function boxOf({ str, transform, width, height }: TextItem) {
  const [left, bottom] = (transform as number[]).slice(4) as [number, number];
  return { str, left, right: left + width, bottom, top: bottom + height * LETTERS };
}

const isOver = (a: Box, b: Box) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > TOUCHING &&
  Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom) > TOUCHING;
