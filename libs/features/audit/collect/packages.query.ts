import { queryOf } from '@assurance/event-sourcing/message';
import { PORTS, type Ports, SETTINGS, type Settings, type Signers, SIGNERS } from '@assurance/event-sourcing/tokens';
import { findLostAttachment } from '@assurance/evidence/lookups/find-lost-attachment';
import type { Refusal } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import { VulnerabilitiesInView } from '@assurance/vulnerabilities/read/known-vulnerabilities';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { writePackage } from '../package/write';
import { collect, reportIn } from './content/collect';
import { findScope, type PackageRequest } from './scope';

/** The package of a trail, of an artifact or of an attestation, as a tar archive in pieces (specification 4.8). */
export class GetPackage extends queryOf<
  { org: { readonly id: string; readonly name: string }; flow: string; request: PackageRequest },
  Result<AsyncGenerator<Uint8Array>, Refusal>
>() {}

@QueryHandler(GetPackage)
export class GetPackageHandler implements IQueryHandler<GetPackage> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(SIGNERS) private readonly signers: Signers,
    private readonly vulnerabilities: VulnerabilitiesInView,
  ) {}

  async execute({ org, flow, request }: GetPackage): Promise<Result<AsyncGenerator<Uint8Array>, Refusal>> {
    const scope = await findScope(this.ports.documents, org, flow, request);
    if (!scope.ok) return scope;
    const { attachments, ...contents } = await collect(this.ports, this.settings, this.vulnerabilities, scope.value);
    const lostAttachment = await findLostAttachment(this.ports.blobs, org.id, attachments);
    if (lostAttachment !== null) {
      return err({
        kind: 'evidence-lost',
        id: lostAttachment.attestation,
        filename: lostAttachment.filename,
        sha256: lostAttachment.sha256,
      });
    }
    return ok(writePackage({ ...contents, signers: this.signers }));
  }
}

/** The report in the package of a trail, as a PDF document. */
export class GetTrailPdf extends queryOf<
  { org: { readonly id: string; readonly name: string }; flow: string; trail: string },
  Result<Buffer, Refusal>
>() {}

@QueryHandler(GetTrailPdf)
export class GetTrailPdfHandler implements IQueryHandler<GetTrailPdf> {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly vulnerabilities: VulnerabilitiesInView,
  ) {}

  async execute({ org, flow, trail }: GetTrailPdf): Promise<Result<Buffer, Refusal>> {
    const scope = await findScope(this.ports.documents, org, flow, { kind: 'trail', trail });
    if (!scope.ok) return scope;
    const { files } = await collect(this.ports, this.settings, this.vulnerabilities, scope.value);
    return ok(await reportIn(files));
  }
}
