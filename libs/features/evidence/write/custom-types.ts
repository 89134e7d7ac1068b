import { Register } from '@assurance/access/write/register';
import { streams } from '@assurance/contracts/events/streams';
import { Evaluator } from '@assurance/evaluator';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { beginningOf, canonicalDeepInSlices, canonicalJson } from '@assurance/kernel';
import { Injectable } from '@nestjs/common';
import { attestationType, attestationTypeVersions, versionId } from '../domain/attestation-type';

/** The result of evaluating the data of a custom attestation by the newest version of its type. */
type CustomVerdict =
  | { readonly kind: 'judged'; readonly version: number; readonly compliant: boolean }
  /** There is no such type in the organization. */
  | { readonly kind: 'unknown' }
  /** The data does not match the schema of the type. Errors have paths from the root of the data; `''` is the root. */
  | { readonly kind: 'invalid'; readonly errors: Readonly<Record<string, string>> };

/** Evaluates data by the newest version of its custom attestation type, archived or not. */
@Injectable()
export class CustomTypes {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly evaluator: Evaluator,
  ) {}

  /**
   * @param org id of the organization
   * @param type the type's name
   */
  async judge(org: string, type: string, data: unknown): Promise<CustomVerdict> {
    const id = await this.register.find(org, 'attestation-type', type);
    const results = id === null ? null : (await this.streams.load(attestationType, streams.attestationType(id))).state;
    if (results === null) return { kind: 'unknown' };
    const version = results.versions.length;
    const documents = this.streams.engines.documents.collection(attestationTypeVersions);
    const demands = await documents.get(versionId(results.id, version));
    if (demands === null) throw new Error(`version ${version} of attestation type ${results.id} is gone`);
    const { schema, rules } = demands;
    if (schema === null && rules.length === 0) return { kind: 'judged', version, compliant: true };
    const text = await canonicalDeepInSlices(data);
    const bytes = Buffer.byteLength(text);
    const payloadRules = { schema: schema === null ? null : canonicalJson(schema), rules };
    const result = await this.evaluator.evaluate(org, payloadRules, text);
    switch (result.kind) {
      case 'unfit':
        return invalid(pathOf(result.at), result.text);
      case 'exceeded': {
        const sentence =
          typeof result.what === 'number' ? `Rule '${beginningOf(rules[result.what] ?? '', 100)}'` : 'The schema';
        const remedy = 'Make it simpler, or send less data';
        return invalid(
          '',
          `${sentence} of version ${version} takes more time or memory than it may on ${bytes} bytes of data. ${remedy}`,
        );
      }
      case 'fit':
        return { kind: 'judged', version, compliant: result.verdicts.every((isMet) => isMet) };
    }
  }
}

function invalid(path: string, text: string): CustomVerdict {
  return { kind: 'invalid', errors: { [path]: text } };
}

/** Converts a JSON pointer to a path with dots. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}
