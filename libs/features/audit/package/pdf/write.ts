import { Readable } from 'node:stream';
import { yieldToOthers } from '@assurance/kernel';
import type { Font } from 'fontkit';
import { draw } from './draw';
import type { AuditReport } from './report';

/**
 * The report as a PDF document that anybody can read (specification 4.8). The same report is the same bytes: its dates and its id come from the
 * report, never from the clock. It is made while it is read, so that neither it nor its rows are in memory as a whole.
 *
 * Its texts may be anything: what cannot be drawn is shown by its number, and nothing of them becomes a link. At most 2,000 rows of each list are
 * shown.
 */
export function writeReport(report: AuditReport): Readable {
  return Readable.from(pieces(report), { objectMode: false });
}

async function* pieces(report: AuditReport): AsyncGenerator<Buffer> {
  // Loaded with the first report: a service that makes none does without them. Each takes tens of milliseconds, so not in one turn.
  const { create } = await import('fontkit');
  await yieldToOthers();
  const { default: Document } = await import('pdfkit');
  await yieldToOthers();
  yield* draw({ Document, parse: (file) => create(file) as Font }, report);
}
