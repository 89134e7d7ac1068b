import { Readable } from 'node:stream';
import { routes } from '@assurance/contracts-http';
import { answer, type CallOf, Route, TheCall, unwrap } from '@assurance/http';
import { tarOf } from '@assurance/tar';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { callerOf } from '../caller';
import { FindAttestations, GetEvidence, ListAttestations } from './attestations';

@Controller()
export class AttestationQueriesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.listAttestations)
  async list(@TheCall() call: CallOf<typeof routes.listAttestations>) {
    const { attestation_id: id, flow_name: flow, attestation_type: type, page, per_page: perPage } = call.query;
    const query = new ListAttestations(callerOf(call), { id, flow, type }, { page, perPage });
    return answer(200, { data: unwrap(await this.queries.execute(query)) });
  }

  @Route(routes.listTrailAttestations)
  async ofTrail(@TheCall() call: CallOf<typeof routes.listTrailAttestations>) {
    const { flow, trail, name } = call.params;
    return answer(200, unwrap(await this.queries.execute(new FindAttestations(callerOf(call), flow, { trail }, name))));
  }

  @Route(routes.listArtifactAttestations)
  async ofArtifact(@TheCall() call: CallOf<typeof routes.listArtifactAttestations>) {
    const { flow, fingerprint, name } = call.params;
    const query = new FindAttestations(callerOf(call), flow, { fingerprint }, name);
    return answer(200, unwrap(await this.queries.execute(query)));
  }

  @Route(routes.getEvidence)
  async evidence(@TheCall() call: CallOf<typeof routes.getEvidence>) {
    const { flow, trail, id } = call.params;
    const { files, at } = unwrap(await this.queries.execute(new GetEvidence(callerOf(call), flow, trail, id)));
    return answer(200, Readable.from(tarOf(files, at), { objectMode: false }), {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="evidence-${id}.tar"`,
    });
  }
}
