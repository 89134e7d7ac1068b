import { routes } from '@assurance/contracts/http/routes/routes';
import { type Answer, answer, type Call, type CallOf, RequestCall, Route, unwrap } from '@assurance/http';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { compressWithGzip } from '../package/gzip';
import { packageName, reportName } from '../package/names';
import type { PackageRequest } from './scope';
import { GetPackage, GetTrailPdf } from './packages.query';

@Controller()
export class PackagesController {
  constructor(private readonly queries: QueryBus) {}

  @Route(routes.getTrailPackage)
  ofTrail(@RequestCall() call: CallOf<typeof routes.getTrailPackage>) {
    const { flow, trail } = call.params;
    return this.answerPackage(call, flow, { kind: 'trail', trail }, packageName(flow, trail));
  }

  @Route(routes.getTrailPdf)
  async reportOfTrail(@RequestCall() call: CallOf<typeof routes.getTrailPdf>) {
    const { flow, trail } = call.params;
    const pdf = unwrap(await this.queries.execute(new GetTrailPdf({ org: call.org, flow, trail })));
    return answer(200, pdf, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${reportName(flow, trail)}"`,
    });
  }

  @Route(routes.getPackageOfArtifact)
  ofArtifactAt(@RequestCall() call: CallOf<typeof routes.getPackageOfArtifact>) {
    return this.ofArtifact(call);
  }

  @Route(routes.getArtifactPackage)
  ofArtifact(@RequestCall() call: CallOf<typeof routes.getArtifactPackage>) {
    const { flow, fingerprint } = call.params;
    const { trail } = call.query;
    return this.answerPackage(call, flow, { kind: 'artifact', fingerprint, trail }, packageName(flow, fingerprint));
  }

  @Route(routes.getAttestationPackage)
  ofAttestation(@RequestCall() call: CallOf<typeof routes.getAttestationPackage>) {
    const { flow, trail, id } = call.params;
    return this.answerPackage(call, flow, { kind: 'attestation', trail, id }, packageName(flow, trail, id));
  }

  private async answerPackage({ org }: Call, flow: string, request: PackageRequest, name: string): Promise<Answer> {
    const tar = unwrap(await this.queries.execute(new GetPackage({ org, flow, request: request })));
    return answer(200, compressWithGzip(tar), {
      'content-type': 'application/gzip',
      'content-disposition': `attachment; filename="${name}"`,
    });
  }
}
