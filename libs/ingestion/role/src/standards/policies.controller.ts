import { routes } from '@assurance/contracts-http';
import { Evaluator } from '@assurance/evaluator';
import { type CallOf, RefusalError, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CommandsController } from '../commands';
import { callerOf } from '../core/caller';
import { ChangeEnvironment, type EnvironmentChange } from '../environments/change-environment';
import { PutPolicy } from './policies';
import { errorsBelow } from '../core/errors-below';

/** Routes of policies, of their attachments, and of allow-lists. */
@Controller()
export class PoliciesController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly evaluator: Evaluator,
  ) {
    super(commands);
  }

  @Route(routes.putPolicy)
  async put(@TheCall() call: CallOf<typeof routes.putPolicy>) {
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
    return this.change(call, { kind: 'attach', policies: call.body.policy_names });
  }

  @Route(routes.detachPolicies)
  detach(@TheCall() call: CallOf<typeof routes.detachPolicies>) {
    return this.change(call, { kind: 'detach', policies: call.body.policy_names });
  }

  @Route(routes.putAllowlist)
  allow(@TheCall() call: CallOf<typeof routes.putAllowlist>) {
    const { artifact_fingerprint: fingerprint, artifact_name, description } = call.body;
    const entry = { fingerprint, name: artifact_name ?? '', description: description ?? '' };
    return this.change(call, { kind: 'allow', entry });
  }

  private async change(
    call: CallOf<typeof routes.attachPolicies | typeof routes.putAllowlist>,
    change: EnvironmentChange,
  ) {
    return this.ok(new ChangeEnvironment({ caller: callerOf(call), environment: call.params.env, change }));
  }
}
