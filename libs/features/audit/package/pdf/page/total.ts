/** Private fields of pdfkit: of a document and of its current font. */
interface PdfInternals {
  readonly _font: { readonly id: string; ref(): unknown; encode(text: string): readonly [readonly string[], unknown] };
}

/** The number of pages. It is shown on every page, but is known only at the end. */
export interface Total {
  /** Marks the place of the number on the present page. `x` is the left end, `y` is the baseline. */
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
      // Page coordinates start at the top, and those of a form at the bottom.
      doc.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} cm /Total Do Q`);
    },
    end(total) {
      const [codes] = font.encode(` ${total}`);
      form.write(`BT /${font.id} ${size} Tf <${codes.join('')}> Tj ET`);
      form.end(Buffer.alloc(0));
    },
  };
}
