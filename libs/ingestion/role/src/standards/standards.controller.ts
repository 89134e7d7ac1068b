import type { AttestationTypeDemands } from '@assurance/contracts-events';
import { routes } from '@assurance/contracts-http';
import { Evaluator, readSchema } from '@assurance/evaluator';
import { type CallFile, type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { ChangeEnvironment, type EnvironmentChange } from '../environments/change-environment';
import { PutPolicy } from './policies';
import { errorsBelow } from '../core/errors-below';
import { ChangeControl, type ControlChange, CreateControl } from './controls';
import { ArchiveAttestationType, PostAttestationType } from './attestation-types';

/** Routes of policies, of their attachments and of allow-lists; of controls, and of attestation types. */
@Controller()
export class StandardsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly evaluator: Evaluator,
  ) {
    super(commands);
  }

  @Route(routes.putPolicy)
  async putPolicy(@TheCall() call: CallOf<typeof routes.putPolicy>) {
    const { name, description, comment } = call.body;
    const file = call.files['policy_file'];
    if (file === undefined) throw new RefusalError({ kind: 'invalid', errors: { policy_file: 'Field required' } });
    const caller = callerOf(call);
    const read = await this.evaluator.readYaml(caller.org.id, 'policy', file.content);
    if (!read.ok) throw new RefusalError({ kind: 'invalid', errors: errorsBelow('policy_file', read.refusal) });
    const given = { name, description: description ?? '', comment: comment ?? '', ...read.value };
    return this.made(new PutPolicy({ caller, given }));
  }

  @Route(routes.attachPolicies)
  attach(@TheCall() call: CallOf<typeof routes.attachPolicies>) {
    return this.changeEnvironment(call, { kind: 'attach', policies: call.body.policy_names });
  }

  @Route(routes.detachPolicies)
  detach(@TheCall() call: CallOf<typeof routes.detachPolicies>) {
    return this.changeEnvironment(call, { kind: 'detach', policies: call.body.policy_names });
  }

  @Route(routes.putAllowlist)
  allow(@TheCall() call: CallOf<typeof routes.putAllowlist>) {
    const { artifact_fingerprint: fingerprint, artifact_name, description } = call.body;
    const entry = { fingerprint, name: artifact_name ?? '', description: description ?? '' };
    return this.changeEnvironment(call, { kind: 'allow', entry });
  }

  @Route(routes.postControl)
  async createControl(@TheCall() call: CallOf<typeof routes.postControl>) {
    const { identifier, name, description } = call.body;
    const given = { identifier, name, description: description ?? '' };
    return this.ok(new CreateControl({ caller: callerOf(call), given }), 201);
  }

  @Route(routes.putControl)
  async updateControl(@TheCall() call: CallOf<typeof routes.putControl>) {
    const { name, description, links } = call.body;
    const settings = { name: name ?? undefined, description: description ?? undefined, links: links ?? undefined };
    return this.changeControl(call, { kind: 'update', settings });
  }

  @Route(routes.archiveControl)
  async archiveControl(@TheCall() call: CallOf<typeof routes.archiveControl>) {
    return this.changeControl(call, { kind: 'archive' });
  }

  @Route(routes.unarchiveControl)
  async unarchiveControl(@TheCall() call: CallOf<typeof routes.unarchiveControl>) {
    return this.changeControl(call, { kind: 'unarchive' });
  }

  @Route(routes.postAttestationType)
  async postAttestationType(@TheCall() call: CallOf<typeof routes.postAttestationType>) {
    const { name, description, evaluator, summary } = call.body;
    const file = call.files['type_schema'];
    const given = {
      name,
      ...(description == null ? {} : { description }),
      schema: file === undefined ? null : schemaOf(file),
      rules: evaluator?.rules ?? [],
      summary: summary?.map(({ name: line, expression }) => ({ name: line, expression })) ?? null,
    };
    return this.ok(new PostAttestationType({ caller: callerOf(call), given }), 201);
  }

  @Route(routes.archiveAttestationType)
  async archiveAttestationType(@TheCall() call: CallOf<typeof routes.archiveAttestationType>) {
    return this.ok(new ArchiveAttestationType({ caller: callerOf(call), name: call.params.name }));
  }

  private changeEnvironment(
    call: CallOf<typeof routes.attachPolicies | typeof routes.putAllowlist>,
    change: EnvironmentChange,
  ) {
    return this.ok(new ChangeEnvironment({ caller: callerOf(call), environment: call.params.env, change }));
  }

  private changeControl(call: CallOf<typeof routes.putControl | typeof routes.archiveControl>, change: ControlChange) {
    return this.ok(new ChangeControl({ caller: callerOf(call), identifier: call.params.control, change }));
  }
}

function schemaOf({ content }: CallFile): AttestationTypeDemands['schema'] {
  const read = readSchema(content);
  if (read.ok) return JSON.parse(read.value) as Record<string, unknown>;
  throw new RefusalError({ kind: 'invalid', errors: { type_schema: read.refusal } });
}
