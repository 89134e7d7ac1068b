import type { ListedFinding } from '@assurance/contracts/evidence/events';
import { Evaluator } from '@assurance/evaluator';
import { canonicalDeepInSlices, mapInSlices } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import type { AttestedFindings } from '../domain/attest';
import { scanFormatOf } from '../domain/scan-format';

/** Reads reports of scanners that come with attestations. */
@Injectable()
export class Scans {
  constructor(private readonly evaluator: Evaluator) {}

  /**
   * The findings of the first report among values. What cannot be read is counted, since the attestation stands without it.
   *
   * @param org id of the organization
   * @param values any JSON
   * @returns null where none is the report of a scanner
   */
  async read(org: string, values: readonly unknown[]): Promise<AttestedFindings | null> {
    const report = values.find((value) => scanFormatOf(value) !== null);
    if (report === undefined) return null;
    const read = await this.evaluator.readScan(org, await canonicalDeepInSlices(report));
    if (read === null) return { tool: '', parts: [], left: 1 };
    const { tool, parts, left } = read;
    return { tool, parts: await mapInSlices(parts, (part) => JSON.parse(part) as ListedFinding[]), left };
  }
}
