import { routes } from '@assurance/contracts/http/routes/routes';
import { type CallOf, RequestCall, Route } from '@assurance/http';
import { QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { Controller } from '@nestjs/common';
import { GetAttestationType, ListAttestationTypes } from './attestation-types';

/** Queries for attestation types. */
@Controller()
export class AttestationTypeQueriesController extends QueriesController {
  @Route(routes.listAttestationTypes)
  async attestationTypes(@RequestCall() call: CallOf<typeof routes.listAttestationTypes>) {
    return this.answerList(new ListAttestationTypes({ caller: callerOf(call) }));
  }

  @Route(routes.getAttestationType)
  async attestationType(@RequestCall() call: CallOf<typeof routes.getAttestationType>) {
    return this.answerQuery(
      new GetAttestationType({ caller: callerOf(call), name: call.params.name, version: call.query.version }),
    );
  }
}
