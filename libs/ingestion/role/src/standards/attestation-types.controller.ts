import type { AttestationTypeDemands } from '@assurance/contracts-events';
import { routes } from '@assurance/contracts-http';
import { answer, type CallFile, type CallOf, RefusalError, Route, TheCall, unwrap } from '@assurance/http';
import { readSchema } from '@assurance/evaluator';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { callerOf } from '../core/caller';
import { ArchiveAttestationType } from './archive-attestation-type';
import { PostAttestationType } from './post-attestation-type';

@Controller()
export class AttestationTypesController {
  constructor(private readonly commands: CommandBus) {}

  @Route(routes.postAttestationType)
  async post(@TheCall() call: CallOf<typeof routes.postAttestationType>) {
    const { name, description, evaluator, summary } = call.body;
    const file = call.files['type_schema'];
    const given = {
      name,
      ...(description == null ? {} : { description }),
      schema: file === undefined ? null : schemaOf(file),
      rules: evaluator?.rules ?? [],
      summary: summary?.map(({ name: line, expression }) => ({ name: line, expression })) ?? null,
    };
    unwrap(await this.commands.execute(new PostAttestationType(callerOf(call), given)));
    return answer(201, 'OK');
  }

  @Route(routes.archiveAttestationType)
  async archive(@TheCall() call: CallOf<typeof routes.archiveAttestationType>) {
    unwrap(await this.commands.execute(new ArchiveAttestationType(callerOf(call), call.params.name)));
    return answer(200, 'OK');
  }
}

function schemaOf({ content }: CallFile): AttestationTypeDemands['schema'] {
  const read = readSchema(content);
  if (read.ok) return JSON.parse(read.value) as Record<string, unknown>;
  throw new RefusalError({ kind: 'invalid', errors: { type_schema: read.refusal } });
}
