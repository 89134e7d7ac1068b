import { Evaluator, type YamlErrors, type YamlFiles } from '@assurance/evaluator';
import type { Result } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';

/** Reads YAML files that callers send, in a thread. */
@Injectable()
export class ReadFile {
  constructor(private readonly evaluator: Evaluator) {}

  /**
   * @param owner id of the organization
   * @throws Flooded, Busy: nothing was read
   */
  as<What extends keyof YamlFiles>(
    what: What,
    owner: string,
    { content }: { readonly content: Uint8Array },
  ): Promise<Result<YamlFiles[What], YamlErrors>> {
    return this.evaluator.readYaml(owner, what, content);
  }
}
