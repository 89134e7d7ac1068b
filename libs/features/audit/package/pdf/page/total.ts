/** Private fields of pdfkit: of a document and of its current font. */
interface PdfInternals {
  readonly _font: { readonly id: string; ref(): unknown; encode(text: string): readonly [readonly string[], unknown] };
}

/** A number that is written on every page and known at the end: the number of pages. */
export interface Total {
  /** Marks the place on the present page: the left end of the line at its foot. */
  place(x: number, y: number): void;
  /** Writes the number at all places. */
  end(total: number): void;
}

/** @param choose chooses the font of the number */
export function openTotal(doc: PDFKit.PDFDocument, choose: () => void, size: number): Total {
  choose();
  const font = (doc as unknown as PdfInternals)._font;
  const form = doc.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, -size, size * 10, size * 2],
    Resources: { Font: { [font.id]: font.ref() } },
  });
  return {
    place(x, y) {
      (doc.page.xobjects as Record<string, unknown>)['Total'] = form;
      // The page counts from its top, a form from its foot.
      doc.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} cm /Total Do Q`);
    },
    end(total) {
      const [codes] = font.encode(` ${total}`);
      form.write(`BT /${font.id} ${size} Tf <${codes.join('')}> Tj ET`);
      form.end(Buffer.alloc(0));
    },
  };
}
