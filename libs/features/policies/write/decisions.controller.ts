import { routes } from '@assurance/contracts/http/routes/routes';
import { compliantBy } from '@assurance/evidence/domain/attestation-rules';
import { attestationOf } from '@assurance/evidence/write/attestation-of';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { CommandsController } from '@assurance/http/commands';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Controls } from './controls';

/** Attestations of decisions on controls. */
@Controller()
export class DecisionsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly controls: Controls,
  ) {
    super(commands);
  }

  @Route(routes.attestSystem)
  async decide(@TheCall() call: CallOf<typeof routes.attestSystem>) {
    const { type_name, control, attestation_data } = call.body;
    const version = await this.controls.versionOf(call.org.id, control);
    const typed = {
      type: type_name,
      compliant: compliantBy.decision(call.body),
      control: { identifier: control, version },
      payload: { type_name, attestation_data },
    };
    return this.ok(attestationOf(call, typed), 201);
  }
}
