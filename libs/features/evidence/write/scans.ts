import type { ScanReportAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { ListedFinding } from '@assurance/contracts/evidence/events';
import { BEGINNING_BYTES, Evaluator, mayHoldReport, SCAN_BYTES_MAX } from '@assurance/evaluator';
import { contentOf } from '@assurance/event-sourcing/sealing/read';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import type { Call, CallAttachment } from '@assurance/http';
import { canonicalDeepInSlices, mapInSlices } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { AttestedFindings } from '../domain/attest';
import { scanFormatOf } from '../domain/scan-format';
import { readAttachment } from './sboms';

/** The scanner reports of an attestation. */
interface AttestedScans {
  readonly findings: AttestedFindings;
  /** The first 100 reports, with the reason if one cannot be read. */
  readonly reports: readonly ScanReportAnswer[];
}

/** Reads scanner reports of attestations. */
@Injectable()
export class Scans {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly evaluator: Evaluator,
  ) {}

  /**
   * Reads the findings of the first report among some values, and of the reports in files. Reports that cannot be read are counted and listed: the
   * attestation is valid without them.
   *
   * @param values any JSON
   * @returns null if there is no report
   */
  async read(
    { org, attachments }: Pick<Call, 'org' | 'attachments'>,
    values: readonly unknown[],
  ): Promise<AttestedScans | null> {
    const value = values.find((one) => scanFormatOf(one) !== null);
    const { files, large } = await this.candidatesOf(org.id, attachments);
    const unreadFiles = large.map((file) => unreadFile(file, `Files are read up to ${SCAN_BYTES_MAX} bytes together`));
    if (value === undefined && files.length === 0 && unreadFiles.length === 0) return null;
    const report = value === undefined ? null : await canonicalDeepInSlices(value);
    const read = await this.evaluator.readScans(org.id, report, () => this.load(org.id, files));
    if (read !== null && 'kind' in read) {
      const problem = 'It takes more time or memory to read than it may';
      const names = [...(report === null ? [] : [null]), ...files.map(({ filename }) => filename)];
      const reports = [...names.map((name) => unreadFile(name, problem)), ...unreadFiles];
      return { findings: { tool: '', parts: [], left: reports.length }, reports };
    }
    if (read === null && unreadFiles.length === 0) return null;
    const { tool = '', parts = [], left = 0, reports = [] } = read ?? {};
    return {
      findings: {
        tool,
        parts: await mapInSlices(parts, (part) => JSON.parse(part) as ListedFinding[]),
        left: left + unreadFiles.length,
      },
      reports: [...reports, ...unreadFiles],
    };
  }

  /** Returns the files that may be reports by their beginning, and the names of files that exceed the limit for all files together. */
  private async candidatesOf(org: string, attachments: readonly CallAttachment[]) {
    const files: CallAttachment[] = [];
    const largeFiles: string[] = [];
    let bytes = 0;
    for (const file of attachments) {
      if (!mayHoldReport(await this.beginningOf(org, file.sha256))) continue;
      if (bytes + file.size > SCAN_BYTES_MAX) {
        largeFiles.push(file.filename);
        continue;
      }
      bytes += file.size;
      files.push(file);
    }
    return { files, large: largeFiles };
  }

  private async beginningOf(org: string, sha256: string): Promise<Uint8Array> {
    let firstBytes: Uint8Array = new Uint8Array();
    for await (const piece of contentOf(this.ports.blobs, org, sha256)) {
      firstBytes = Buffer.concat([firstBytes, piece.subarray(0, BEGINNING_BYTES)]);
      if (firstBytes.length >= BEGINNING_BYTES) break;
    }
    return firstBytes;
  }

  private async load(org: string, files: readonly CallAttachment[]) {
    const loadedFiles: { filename: string; content: Uint8Array<ArrayBuffer> }[] = [];
    for (const file of files) {
      loadedFiles.push({ filename: file.filename, content: await readAttachment(this.ports.blobs, org, file) });
    }
    return loadedFiles;
  }
}

function unreadFile(file: string | null, problem: string): ScanReportAnswer {
  return { file, format: null, tool: '', findings: 0, unread: 1, problem };
}
