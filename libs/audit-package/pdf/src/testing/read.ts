import type { TextItem } from 'pdfjs-dist/types/src/display/api';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.js';
import type { AuditReport } from '../report';
import { writeReport } from '../write';

/** A text on a page, where it stands: in points from the left. */
export interface Placed {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A report as another library reads it. */
export interface Read {
  readonly document: PDFDocumentProxy;
  readonly placed: readonly (readonly Placed[])[];
  /** One a page, without blanks: where they are is a matter of looks. */
  readonly pages: readonly string[];
  readonly whole: string;
}

export async function written(report: AuditReport): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of writeReport(report)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

export async function read(bytes: Buffer): Promise<Read> {
  const document = await getDocument({ data: new Uint8Array(bytes), disableFontFace: true, verbosity: 0 }).promise;
  const placed: Placed[][] = [];
  for (let page = 1; page <= document.numPages; page += 1) {
    const { items } = await (await document.getPage(page)).getTextContent();
    placed.push(
      (items as TextItem[]).map(({ str, transform, width }) => {
        const from = (transform as number[])[4] ?? NaN;
        return { text: str, from, to: from + width };
      }),
    );
  }
  const pages = placed.map((all) => packed(all.map(({ text }) => text).join('')));
  return { document, placed, pages, whole: pages.join('') };
}

export function packed(text: string): string {
  return text.replace(/\s/g, '');
}
