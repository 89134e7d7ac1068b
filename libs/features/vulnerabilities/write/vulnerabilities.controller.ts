import { routes } from '@assurance/contracts/http/routes/routes';
import type { ImportedVulnerabilities } from '@assurance/contracts/vulnerabilities/answers/vulnerabilities';
import { Evaluator, type VulnerabilityParts } from '@assurance/evaluator';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { readAttachment } from '@assurance/evidence/write/sboms';
import { type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { answer } from '@assurance/http/answer';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FileFormat } from '../domain/file';
import { ImportVulnerabilities } from './import-vulnerabilities';

/** The most bytes of a file that is read as a whole. */
export const FILE_BYTES = 32 * 1024 * 1024;
const FILE = 'attachment_file';

type ImportCall = CallOf<typeof routes.importVulnerabilities>;

@Controller()
export class VulnerabilitiesController extends CommandsController {
  constructor(
    commands: CommandBus,
    @Inject(PORTS) private readonly ports: Ports,
    private readonly evaluator: Evaluator,
  ) {
    super(commands);
  }

  @Route(routes.importVulnerabilities)
  async importFile(@RequestCall() call: ImportCall) {
    const [file, ...others] = call.attachments;
    if (file === undefined) refuse('Field required');
    if (others.length > 0) refuse('Input should be one file');
    if (file.size > FILE_BYTES) throw new RefusalError({ kind: 'attachments-too-large', limit: FILE_BYTES });
    const parts = await this.read(call, file, call.body.format ?? null);
    const importOutcome = await this.run(new ImportVulnerabilities({ caller: callerOf(call), file, parts }));
    const { filename, sha256, size, vulnerabilities, statements, unread, unknownEcosystems = [] } = importOutcome.file;
    const value: ImportedVulnerabilities = {
      imported: importOutcome.now,
      filename,
      sha256,
      size,
      vulnerabilities,
      statements,
      unread,
      problems: importOutcome.now ? parts.refusals.map(problemOf) : [],
      unknown_ecosystems: unknownEcosystems,
    };
    return answer(201, value);
  }

  /** @throws RefusalError if no part of the file can be read */
  private async read(
    { org }: ImportCall,
    file: ImportCall['attachments'][number],
    format: FileFormat | null,
  ): Promise<VulnerabilityParts> {
    const load = () => readAttachment(this.ports.blobs, org.id, file);
    const parts = await this.evaluator.readVulnerabilities(org.id, format, load);
    if (parts === null) refuse('The file takes more time or memory to read than it may. Import it in parts');
    const [first] = parts.refusals;
    if (first !== undefined && parts.vulnerabilities + parts.statements === 0) refuse(problemOf(first));
    return parts;
  }
}

function problemOf({ field, problem }: VulnerabilityParts['refusals'][number]): string {
  return field === '' ? problem : `${field}: ${problem}`;
}

function refuse(problem: string): never {
  throw new RefusalError({ kind: 'invalid', errors: { [FILE]: problem } });
}
