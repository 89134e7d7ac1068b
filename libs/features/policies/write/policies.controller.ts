import { routes } from '@assurance/contracts/http/routes/routes';
import type { Control } from '@assurance/contracts/policies/documents';
import { Evaluator } from '@assurance/evaluator';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { answer, type CallOf, RefusalError, RequestCall, Route } from '@assurance/http';
import { callerOf } from '@assurance/http/command-caller';
import { CommandsController } from '@assurance/http/commands';
import { errorsBelow } from '@assurance/http/errors-below';
import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { controlWithPolicies } from '../lookups/control-answer';
import { ChangeControl, type ControlChange, CreateControl } from './controls';
import { PutPolicy } from './policies';

/** Routes of policies and controls. */
@Controller()
export class PoliciesController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly evaluator: Evaluator,
    @Inject(PORTS) private readonly ports: Ports,
  ) {
    super(commands);
  }

  @Route(routes.putPolicy)
  async putPolicy(@RequestCall() call: CallOf<typeof routes.putPolicy>) {
    const { name, description, comment } = call.body;
    const file = call.files['policy_file'];
    const caller = callerOf(call);
    const policyTexts = { name, description: description ?? '' };
    if (file === undefined) return this.answerMade(new PutPolicy({ caller, input: { ...policyTexts, yaml: null } }));
    const read = await this.evaluator.readYaml(caller.org.id, 'policy', file.content);
    if (!read.ok) throw new RefusalError({ kind: 'invalid', errors: errorsBelow('policy_file', read.refusal) });
    const input = { ...policyTexts, comment: comment ?? '', ...read.value };
    return this.answerMade(new PutPolicy({ caller, input }));
  }

  @Route(routes.postEvaluation)
  evaluate(): never {
    throw new RefusalError({ kind: 'evaluation-disabled' });
  }

  @Route(routes.postControl)
  async createControl(@RequestCall() call: CallOf<typeof routes.postControl>) {
    const { identifier, name, description, links } = call.body;
    const input = { identifier, name, description: description ?? '', links: links ?? {} };
    return this.control(new CreateControl({ caller: callerOf(call), input }), 201);
  }

  @Route(routes.putControl)
  async updateControl(@RequestCall() call: CallOf<typeof routes.putControl>) {
    const { name, description, links } = call.body;
    const settings = { name: name ?? undefined, description: description ?? undefined, links: links ?? undefined };
    return this.changeControl(call, { kind: 'update', settings });
  }

  @Route(routes.archiveControl)
  async archiveControl(@RequestCall() call: CallOf<typeof routes.archiveControl>) {
    return this.changeControl(call, { kind: 'archive' });
  }

  @Route(routes.unarchiveControl)
  async unarchiveControl(@RequestCall() call: CallOf<typeof routes.unarchiveControl>) {
    return this.changeControl(call, { kind: 'unarchive' });
  }

  private changeControl(call: CallOf<typeof routes.putControl | typeof routes.archiveControl>, change: ControlChange) {
    const { control: identifier } = call.params;
    return this.control(new ChangeControl({ caller: callerOf(call), identifier, change }), 200);
  }

  /** Answers with the control after the command, because clients decode it. */
  private async control(command: CreateControl | ChangeControl, status: number) {
    return answer(status, await controlWithPolicies(this.ports.documents, await this.run<Control>(command)));
  }
}
