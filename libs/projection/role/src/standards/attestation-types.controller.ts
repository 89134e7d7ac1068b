import { routes } from '@assurance/contracts-http';
import { type CallOf, Route, TheCall } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { callerOf } from '../caller';
import { QueriesController } from '../queries';
import { GetAttestationType, ListAttestationTypes } from './attestation-types';

@Controller()
export class AttestationTypeQueriesController extends QueriesController {
  @Route(routes.listAttestationTypes)
  async list(@TheCall() call: CallOf<typeof routes.listAttestationTypes>) {
    return this.listed(new ListAttestationTypes({ caller: callerOf(call) }));
  }

  @Route(routes.getAttestationType)
  async get(@TheCall() call: CallOf<typeof routes.getAttestationType>) {
    return this.found(
      new GetAttestationType({ caller: callerOf(call), name: call.params.name, version: call.query.version }),
    );
  }
}
