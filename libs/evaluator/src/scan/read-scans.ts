import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { beginningOf, valuesIn } from '@assurance/kernel';
import { entriesOf } from '@assurance/kernel/tar/read';
import { openEnvelope } from '@assurance/evidence/domain/envelope';
import type { Finding } from '@assurance/vulnerabilities/domain/findings';
import { readReport, recordedFindings } from '@assurance/vulnerabilities/domain/scan';
import type { ScanReport, ScanSummary } from '../messages';
import { type AttachedFile, encodingOf, inUtf8, isGzip, isJson, isTar, SCAN_BYTES_MAX } from './attached';

/** How many reports an attestation shows at most. The findings of further reports count too. */
const REPORTS_SHOWN = 100;
/** How many JSON values a file may have: ten times as many as the report of a very large image. More would need more memory than a thread has. */
const VALUES_MAX = 2_000_000;
/** How many characters of a path in an archive, of a problem, and of the names of all scanners are kept. */
const TEXT_MAX = 512;
/** A field at the beginning of reports. It shows that a file which cannot be parsed was meant as a report. */
const REPORT_FIELD = /"(?:SchemaVersion|ArtifactName|matches|runs|vulnerabilities)"\s*:/;
const REPORT_BEGINNING = 4_096;

/**
 * Reads the findings of scanner reports: of a report that is part of an attestation, and of reports in its files. A file is a report or a tar
 * archive, and may be compressed with gzip. Files of other kinds are skipped.
 *
 * @param report JSON text; null if there is none
 * @returns null if there is no report at all
 */
export async function readScans(report: string | null, files: readonly AttachedFile[]): Promise<ScanSummary | null> {
  const reports = new ScanReports();
  if (report !== null) reports.add(null, JSON.parse(report));
  for (const file of files) await reports.addFile(file);
  return reports.summary();
}

class ScanReports {
  private readonly findings: Finding[] = [];
  private readonly reports: ScanReport[] = [];
  private readonly tools = new Set<string>();
  private unreadCount = 0;
  private bytesLeft = SCAN_BYTES_MAX;

  /** Adds a document if it is a report. */
  add(file: string | null, document: unknown): void {
    const report = readReport(openEnvelope(document, parseBounded).document);
    if (report === null) return;
    const { format, read } = report;
    if (!read.ok) {
      const { field, problem } = read.refusal;
      this.fail(file, format, field === '' ? problem : `${field}: ${problem}`);
      return;
    }
    const { tool, findings, unread } = read.value;
    for (const finding of findings) this.findings.push(finding);
    if (tool !== '') this.tools.add(tool);
    this.unreadCount += unread;
    this.reports.push({ file, format, tool, findings: findings.length, unread, problem: null });
  }

  async addFile({ filename, content }: AttachedFile): Promise<void> {
    const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const bytes = isGzip(buffer) ? this.unpack(filename, buffer) : buffer;
    if (bytes === null) return;
    if (bytes.length > this.bytesLeft) {
      this.fail(filename, null, tooLarge());
      return;
    }
    this.bytesLeft -= bytes.length;
    if (isTar(bytes)) await this.addArchive(filename, bytes);
    else this.addBytes(filename, bytes);
  }

  summary(): ScanSummary | null {
    if (this.reports.length === 0) return null;
    const { parts, left } = recordedFindings(this.findings);
    const tool = beginningOf([...this.tools].join(', '), TEXT_MAX);
    const texts = parts.map((part) => JSON.stringify(part));
    return { tool, parts: texts, left: left + this.unreadCount, reports: this.reports.slice(0, REPORTS_SHOWN) };
  }

  private unpack(filename: string, packed: Buffer): Buffer | null {
    try {
      return gunzipSync(packed, { maxOutputLength: Math.max(1, this.bytesLeft) });
    } catch (error) {
      const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      this.fail(filename, null, isLarge ? tooLarge() : 'It cannot be unpacked');
      return null;
    }
  }

  private async addArchive(filename: string, bytes: Buffer): Promise<void> {
    try {
      for await (const { path, type, content } of entriesOf(Readable.from([bytes]))) {
        const pieces: Uint8Array[] = [];
        for await (const piece of content) pieces.push(piece);
        if (type === 'file') this.addBytes(beginningOf(`${filename}/${path}`, TEXT_MAX), Buffer.concat(pieces));
      }
    } catch {
      this.fail(filename, null, 'The archive is damaged');
    }
  }

  private addBytes(file: string, bytes: Buffer): void {
    if (!isJson(bytes)) return;
    let document: unknown;
    try {
      const text = inUtf8(bytes, SCAN_BYTES_MAX);
      if (text === null) {
        this.fail(file, null, tooLarge());
        return;
      }
      if (valuesIn(text) > VALUES_MAX) {
        this.fail(file, null, `It has more than ${VALUES_MAX} JSON values, which is the limit`);
        return;
      }
      document = JSON.parse(new TextDecoder().decode(text));
    } catch {
      const beginning = new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, REPORT_BEGINNING));
      if (REPORT_FIELD.test(beginning)) this.fail(file, null, 'It is no JSON in UTF-8 or UTF-16');
      return;
    }
    this.add(file, document);
  }

  private fail(file: string | null, format: string | null, problem: string): void {
    this.unreadCount += 1;
    this.reports.push({ file, format, tool: '', findings: 0, unread: 1, problem: beginningOf(problem, TEXT_MAX) });
  }
}

/** @throws RangeError if the text has too many values for the memory of a thread */
function parseBounded(text: string): unknown {
  if (valuesIn(Buffer.from(text)) > VALUES_MAX) throw new RangeError(`it has more than ${VALUES_MAX} JSON values`);
  return JSON.parse(text);
}

function tooLarge(): string {
  return `The files of an attestation are read up to ${SCAN_BYTES_MAX} bytes together, unpacked. Attest the report alone`;
}
