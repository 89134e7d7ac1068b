import { OrganizationLimits } from '@assurance/access/write/organization-limits';
import { Register, StreamsByName } from '@assurance/access/write/register';
import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { Evaluator } from '@assurance/evaluator';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { commitAuthorOf } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { canonicalJson, err, ok, refused, type Result } from '@assurance/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { attestationType } from '../domain/attestation-type';
import {
  decideArchiveAttestationType,
  decidePostAttestationType,
  type PostAttestationType as Given,
} from '../domain/change-attestation-type';

/** Creates a custom attestation type, or adds a version to it. */
export class PostAttestationType extends commandBy<{ input: Given }>() {}

@CommandHandler(PostAttestationType)
export class PostAttestationTypeHandler implements ICommandHandler<PostAttestationType> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
    private readonly limits: OrganizationLimits,
    private readonly evaluator: Evaluator,
  ) {}

  async execute({ caller, input }: PostAttestationType): Promise<Result<null, FeatureRefusal>> {
    const { org } = caller;
    const errors = await this.problemsOf(org.id, input);
    if (Object.keys(errors).length > 0) return err({ kind: 'invalid', errors });
    const newId = this.streams.sources.id();
    const id = await this.register.claim(org.id, 'attestation-type', input.name, newId, commitAuthorOf(caller));
    const outcome = await this.streams.run(
      attestationType,
      streams.attestationType(id),
      commitAuthorOf(caller),
      async ({ state }) => {
        if (state === null) await this.limits.checkOneMore(org.id, 'attestationTypes');
        return decidePostAttestationType(state, input, { id });
      },
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }

  /** Returns the compile error of each field that has one. */
  private async problemsOf(org: string, { schema, rules, summary }: Given): Promise<Record<string, string>> {
    const expressions = summary?.map(({ expression }) => expression) ?? [];
    if (schema === null && rules.length + expressions.length === 0) return {};
    const text = schema === null ? null : canonicalJson(schema);
    const result = await this.evaluator.check(org, text, [...rules, ...expressions]);
    const fieldOf = (what: 'schema' | number | null) => {
      if (what === 'schema' || what === null) return 'type_schema';
      return what < rules.length ? `evaluator.rules.${what}` : `summary.${what - rules.length}.expression`;
    };
    if (result.kind === 'exceeded')
      return { [fieldOf(result.what)]: 'Compiling it takes more time or memory than it may' };
    return Object.fromEntries(result.problems.map(({ what, text: problem }) => [fieldOf(what), problem]));
  }
}

/** Archives the custom attestation type of this name. */
export class ArchiveAttestationType extends commandBy<{ name: string }>() {}

@CommandHandler(ArchiveAttestationType)
export class ArchiveAttestationTypeHandler extends StreamsByName implements ICommandHandler<ArchiveAttestationType> {
  async execute({ caller, name }: ArchiveAttestationType): Promise<Result<null, FeatureRefusal>> {
    const unknownType = { kind: 'attestation-type-unknown', org: caller.org.name, name } as const;
    const id = await this.register.find(caller.org.id, 'attestation-type', name);
    if (id === null) return err(unknownType);
    const outcome = await this.streams.run(
      attestationType,
      streams.attestationType(id),
      commitAuthorOf(caller),
      ({ state }) => (state === null ? refused(unknownType) : decideArchiveAttestationType(state)),
    );
    return outcome.kind === 'refused' ? err(outcome.refusal) : ok(null);
  }
}
