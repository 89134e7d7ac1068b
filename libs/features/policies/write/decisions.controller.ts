import { DecisionDataInput } from '@assurance/contracts/evidence/bodies/attestation-types';
import { routes } from '@assurance/contracts/http/routes/routes';
import { compliantBy } from '@assurance/evidence/domain/attestation-rules';
import { attestationOf } from '@assurance/evidence/write/attestation-of';
import { dataOf, Sboms } from '@assurance/evidence/write/sboms';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { CommandsController } from '@assurance/http/commands';
import { fromJsonText } from '@assurance/http/json-text';
import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Controls } from './controls';

/** Attestations of types that the service defines: decisions on controls and bills of materials. */
@Controller()
export class DecisionsController extends CommandsController {
  constructor(
    commands: CommandBus,
    private readonly controls: Controls,
    private readonly sboms: Sboms,
  ) {
    super(commands);
  }

  @Route(routes.attestSystem)
  async system(@RequestCall() call: CallOf<typeof routes.attestSystem>) {
    const { type_name: type } = call.body;
    const attestationData = fromJsonText(call.body.attestation_data, 'attestation_data');
    const typed =
      type === 'sbom' ? await this.sboms.read(call, attestationData) : await this.decision(call, attestationData);
    return this.ok(attestationOf(call, { ...typed, type }), 201);
  }

  private async decision(call: Pick<CallOf<typeof routes.attestSystem>, 'org' | 'body'>, sent: unknown) {
    const attestation_data = dataOf(DecisionDataInput, sent);
    const { type_name, control: identifier } = call.body;
    const control =
      identifier === undefined ? null : { identifier, version: await this.controls.versionOf(call.org.id, identifier) };
    return { compliant: compliantBy.decision({ attestation_data }), control, payload: { type_name, attestation_data } };
  }
}
