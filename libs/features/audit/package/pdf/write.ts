import { Readable } from 'node:stream';
import { yieldToOthers } from '@assurance/kernel';
import type { Font } from 'fontkit';
import { draw } from './draw';
import type { AuditReport } from './report';

/**
 * Writes the report as a PDF document (specification 4.8). The same report gives the same bytes, because its dates and its id come from the report,
 * never from the clock. The document is made while it is read, so neither the document nor all its rows are in memory.
 *
 * Others may have chosen its texts. A character that cannot be drawn is shown by its number, and no text becomes a link. The report shows at most
 * 2,000 rows of each list.
 */
export function writeReport(report: AuditReport): Readable {
  return Readable.from(pieces(report), { objectMode: false });
}

async function* pieces(report: AuditReport): AsyncGenerator<Buffer> {
  // The libraries are loaded with the first report, so a service without reports does not load them. Each takes tens of milliseconds, so other work
  // runs in between.
  const { create } = await import('fontkit');
  await yieldToOthers();
  const { default: Document } = await import('pdfkit');
  await yieldToOthers();
  yield* draw({ Document, parse: (file) => create(file) as Font }, report);
}
