import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { Register } from '@assurance/access/write/register';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import type { UnknownEcosystem } from '@assurance/contracts/vulnerabilities/events';
import { Evaluator, type VulnerabilityParts } from '@assurance/evaluator';
import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { Injectable } from '@nestjs/common';
import { EcosystemCounts } from '../domain/file';
import { documentsOf, type DumpChunk } from './dump';
import { VulnerabilityImports } from './vulnerability-imports';
import { FILE_BYTES } from './vulnerabilities.controller';

const ACTOR = 'operator';
/** How many bytes of a large file are read at once. */
const CHUNK = 4 * 1024 * 1024;
const BOUNDS = { whole: FILE_BYTES, chunk: CHUNK };
const REFUSALS_TOLD = 10;

/** The operation `vulnerabilities`: imports a file of any size for an organization. */
@Injectable()
export class ImportVulnerabilitiesFile implements Operation {
  readonly name = 'vulnerabilities';
  readonly usage = '<organization> FILE';
  readonly summary =
    'imports a file of this machine for an organization: OSV entries (JSON, one a line, or a zip file of them), OpenVEX or CycloneDX VEX';

  constructor(
    private readonly register: Register,
    private readonly imports: VulnerabilityImports,
    private readonly evaluator: Evaluator,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    const [organization = '', path = '', ...more] = args;
    if (organization === '' || !isAbsolute(path) || more.length > 0) {
      throw new OperationRefused('vulnerabilities needs the name of an organization and the absolute path of a file');
    }
    const org = await this.register.find(NO_ORGANIZATION, 'account', organization);
    if (org === null) throw new OperationRefused(`There is no organization '${organization}'`);
    const handle = await open(path).catch(() => {
      throw new OperationRefused(`${path} cannot be read`);
    });
    try {
      return await this.importFrom({ org, actor: ACTOR, correlation: ACTOR }, handle, basename(path), report, signal);
    } finally {
      await handle.close();
    }
  }

  /**
   * Imports an open file.
   *
   * @throws OperationRefused if the file cannot be read
   */
  async importFrom(
    by: Parameters<VulnerabilityImports['begin']>[0],
    handle: FileHandle,
    filename: string,
    report: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const file = { filename, ...(await digestOf(handle)) };
    const before = await this.imports.begin(by, file);
    if (before !== null) return { ok: true, summary: `This file was imported before: ${countsOf(before)}.` };
    const counts = { vulnerabilities: 0, statements: 0, unread: 0 };
    const refusals: string[] = [];
    const unknown = new EcosystemCounts();
    for await (const chunk of documentsOf(handle, file.size, BOUNDS)) {
      signal.throwIfAborted();
      const parts = await this.partsOf(by.org, chunk);
      await this.imports.add(by, parts);
      counts.vulnerabilities += parts.vulnerabilities;
      counts.statements += parts.statements;
      counts.unread += parts.unread;
      for (const { field, problem } of parts.refusals) {
        if (refusals.length < REFUSALS_TOLD) refusals.push(`${chunk.place}: ${field}: ${problem}`);
      }
      for (const ecosystem of parts.unknownEcosystems) unknown.add(ecosystem);
      report({ done: counts.vulnerabilities + counts.statements, of: null, unit: 'entries' });
    }
    const unknownEcosystems = unknown.all();
    await this.imports.end(by, { ...file, ...counts, ...(unknownEcosystems.length > 0 ? { unknownEcosystems } : {}) });
    const unreadText = counts.unread === 0 ? '' : ` ${counts.unread} could not be read, first: ${refusals[0] ?? ''}.`;
    return {
      ok: counts.unread === 0,
      summary: `Imported ${countsOf(counts)}.${unreadText}${unknownText(unknownEcosystems)}`,
      details: { ...file, ...counts, refusals, unknownEcosystems },
    };
  }

  /**
   * Refuses an open file if its first chunk has nothing that can be read. Nobody chose this file, and its import would record nothing.
   *
   * @throws OperationRefused
   */
  async refuseUnreadable(org: string, handle: FileHandle): Promise<void> {
    const { size } = await handle.stat();
    for await (const chunk of documentsOf(handle, size, BOUNDS)) {
      const { vulnerabilities, statements, refusals } = await this.partsOf(org, chunk);
      const [first] = refusals;
      if (first !== undefined && vulnerabilities + statements === 0) {
        throw new OperationRefused(
          `It is no file of vulnerabilities: ${[first.field, first.problem].filter(Boolean).join(': ')}`,
        );
      }
      return;
    }
    throw new OperationRefused('It is no file of vulnerabilities: it has no JSON files');
  }

  /** @throws OperationRefused */
  private async partsOf(org: string, { place, content }: DumpChunk): Promise<VulnerabilityParts> {
    // A job may start again, and each start transfers the content to the thread. So each gets a copy.
    const parts = await this.evaluator.readVulnerabilities(org, null, () => Promise.resolve(content.slice()));
    if (parts === null) throw new OperationRefused(`${place} takes more time or memory to read than it may`);
    return parts;
  }
}

function countsOf({ vulnerabilities, statements }: { readonly vulnerabilities: number; readonly statements: number }) {
  return `${vulnerabilities} vulnerabilities and ${statements} VEX statements`;
}

function unknownText(ecosystems: readonly UnknownEcosystem[]): string {
  const names = ecosystems.map(({ name, entries }) => `${name} (${entries})`);
  return names.length === 0 ? '' : ` No component is compared with entries of ${names.join(', ')}.`;
}

async function digestOf(handle: FileHandle): Promise<{ readonly sha256: string; readonly size: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(1024 * 1024);
  for (let size = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, size);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), size };
    hash.update(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
}
