import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { GetAttestationType, ListAttestationTypes } from './attestation-types';

@Controller()
export class AttestationTypeQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listAttestationTypes)
  async list(@TheCall() call: CallOf<typeof routes.listAttestationTypes>) {
    return answer(200, await this.queries.execute(new ListAttestationTypes(callerOf(call))));
  }

  @Route(routes.getAttestationType)
  async get(@TheCall() call: CallOf<typeof routes.getAttestationType>) {
    const query = new GetAttestationType(callerOf(call), call.params.name, call.query.version);
    return answer(200, unwrap(await this.queries.execute(query)));
  }
}
