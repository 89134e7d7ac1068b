import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { ImportedFile, VulnerabilitiesImported } from '@assurance/contracts/vulnerabilities/events';
import type { VulnerabilityParts } from '@assurance/evaluator';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { ok, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { VulnerabilityImports } from './vulnerability-imports';

/** The content of a file, and whether it was imported now or before. */
interface ImportOutcome {
  readonly now: boolean;
  readonly file: VulnerabilitiesImported['data'];
}

/** Records a file of vulnerabilities that was read completely. */
export class ImportVulnerabilities extends commandBy<
  { file: ImportedFile; parts: VulnerabilityParts },
  ImportOutcome
>() {}

@CommandHandler(ImportVulnerabilities)
export class ImportVulnerabilitiesHandler implements ICommandHandler<ImportVulnerabilities> {
  constructor(private readonly imports: VulnerabilityImports) {}

  async execute({ caller, file, parts }: ImportVulnerabilities): Promise<Result<ImportOutcome, FeatureRefusal>> {
    const before = await this.imports.begin(commitAuthorOf(caller), file);
    if (before !== null) return ok({ now: false, file: before });
    await this.imports.add(commitAuthorOf(caller), parts);
    const { vulnerabilities, statements, unread, unknownEcosystems } = parts;
    const unknown = unknownEcosystems.length > 0 ? { unknownEcosystems } : {};
    const importResult = { ...file, vulnerabilities, statements, unread, ...unknown };
    await this.imports.end(commitAuthorOf(caller), importResult);
    return ok({ now: true, file: importResult });
  }
}
