import type { AttestationTypeDemands } from '@assurance/contracts/evidence/events';
import { routes } from '@assurance/contracts/http/routes/routes';
import { readSchema } from '@assurance/evaluator';
import { type CallFile, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { ArchiveAttestationType, PostAttestationType } from './attestation-types';

/** Routes for attestation types. */
@Controller()
export class AttestationTypesController extends CommandsController {
  @Route(routes.postAttestationType)
  async postAttestationType(@RequestCall() call: CallOf<typeof routes.postAttestationType>) {
    const { name, description, evaluator, summary } = call.body;
    const file = call.files['type_schema'];
    if (evaluator?.content_type === 'jq' && evaluator.rules === undefined) {
      throw new RefusalError({ kind: 'invalid', errors: { 'evaluator.rules': 'Field required' } });
    }
    if (evaluator?.content_type === 'default' && (evaluator.rules ?? []).length > 0) {
      const errors = { 'evaluator.rules': "Input should be left out with the content_type 'default'" };
      throw new RefusalError({ kind: 'invalid', errors });
    }
    const input = {
      name,
      ...(description == null ? {} : { description }),
      schema: file === undefined ? null : schemaOf(file),
      rules: evaluator?.rules ?? [],
      summary: summary?.map(({ name: line, expression }) => ({ name: line, expression })) ?? null,
    };
    return this.ok(new PostAttestationType({ caller: callerOf(call), input }), 201);
  }

  @Route(routes.archiveAttestationType)
  async archiveAttestationType(@RequestCall() call: CallOf<typeof routes.archiveAttestationType>) {
    return this.ok(new ArchiveAttestationType({ caller: callerOf(call), name: call.params.name }));
  }
}

function schemaOf({ content }: CallFile): AttestationTypeDemands['schema'] {
  const read = readSchema(content);
  if (read.ok) return JSON.parse(read.value) as Record<string, unknown>;
  throw new RefusalError({ kind: 'invalid', errors: { type_schema: read.refusal } });
}
