import { Readable } from 'node:stream';
import { routes } from '@assurance/contracts/http/routes/routes';
import { answer, type CallOf, Route, TheCall } from '@assurance/http';
import { pageAsked, QueriesController } from '@assurance/http/queries';
import { callerOf } from '@assurance/http/query-caller';
import { tarOf } from '@assurance/kernel/tar/write';
import { Controller } from '@nestjs/common';
import { FindAttestations, GetEvidence, ListAttestations } from './attestations';

@Controller()
export class AttestationQueriesController extends QueriesController {
  @Route(routes.listAttestations)
  async list(@TheCall() call: CallOf<typeof routes.listAttestations>) {
    const { attestation_id: id, flow_name: flow, attestation_type: type } = call.query;
    const query = new ListAttestations({
      caller: callerOf(call),
      wanted: { id, flow, type },
      page: pageAsked(call.query),
    });
    const { answers, ends } = await this.ask(query);
    return answer(200, { data: answers }, ends === null ? {} : this.linkHeader(routes.listAttestations, call, ends));
  }

  @Route(routes.listTrailAttestations)
  async ofTrail(@TheCall() call: CallOf<typeof routes.listTrailAttestations>) {
    const { flow, trail, name } = call.params;
    return this.found(new FindAttestations({ caller: callerOf(call), flow, within: { trail }, name }));
  }

  @Route(routes.listArtifactAttestations)
  async ofArtifact(@TheCall() call: CallOf<typeof routes.listArtifactAttestations>) {
    const { flow, fingerprint, name } = call.params;
    return this.found(new FindAttestations({ caller: callerOf(call), flow, within: { fingerprint }, name }));
  }

  @Route(routes.getEvidence)
  async evidence(@TheCall() call: CallOf<typeof routes.getEvidence>) {
    const { flow, trail, id } = call.params;
    const { files, at } = await this.ask(new GetEvidence({ caller: callerOf(call), flow, trail, id }));
    return answer(200, Readable.from(tarOf(files, at), { objectMode: false }), {
      'content-type': 'application/x-tar',
      'content-disposition': `attachment; filename="evidence-${id}.tar"`,
    });
  }
}
