import type { SbomReadAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { SbomDataInput } from '@assurance/contracts/evidence/bodies/attestation-types';
import type { ListedComponent } from '@assurance/contracts/evidence/events';
import type { FieldErrors } from '@assurance/contracts/http/params';
import type { Component } from '@assurance/contracts/http/shape';
import { Evaluator, type SbomSummary } from '@assurance/evaluator';
import { contentOf } from '@assurance/event-sourcing/sealing/read';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { type Call, type CallAttachment, RefusalError } from '@assurance/http';
import { checkBody } from '@assurance/http/compiled';
import { errorsBelow } from '@assurance/http/errors-below';
import { beginningOf, mapInSlices } from '@assurance/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { AttestedComponents } from '../domain/attest';
import { compliantBy } from '../domain/attestation-rules';
import { completePurl } from '../domain/purl';

/** The most bytes of an SBOM file. */
const SBOM_BYTES = 64 * 1024 * 1024;
const FILE = 'attachment_file';

/** Reads attached SBOM files. */
@Injectable()
export class Sboms {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    private readonly evaluator: Evaluator,
  ) {}

  /**
   * Reads the attached file, and returns the fields of the attestation that depend on it.
   *
   * @param input its `attestation_data`
   * @throws RefusalError if there is not exactly one file, or if the file has another digest, is too large or cannot be read
   */
  async read({ org, attachments }: Pick<Call, 'org' | 'attachments'>, input: unknown) {
    const attestation_data = dataOf(SbomDataInput, input);
    const [file, ...others] = attachments;
    if (file === undefined) refuse({ [FILE]: 'Field required' });
    if (others.length > 0) refuse({ [FILE]: 'Input should be one file' });
    if (file.size > SBOM_BYTES) throw new RefusalError({ kind: 'attachments-too-large', limit: SBOM_BYTES });
    if (file.sha256 !== attestation_data.original_fingerprint) {
      const problem = `Input should be the SHA-256 of the file, which is ${file.sha256}`;
      refuse({ 'attestation_data.original_fingerprint': problem });
    }
    const read = await this.evaluator.readSbom(org.id, () => readAttachment(this.ports.blobs, org.id, file));
    if (!read.ok) refuse({ [FILE]: `The file is no bill of materials: ${beginningOf(read.refusal, 400)}` });
    const payload = { type_name: 'sbom', attestation_data, sbom: answerOf(read.value) };
    return { compliant: compliantBy.sbom(), payload, components: await componentsOf(read.value) };
  }
}

/** Reads a whole attachment, copied piece by piece. */
export async function readAttachment(
  blobs: Ports['blobs'],
  org: string,
  { sha256, size }: CallAttachment,
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size);
  let at = 0;
  for await (const piece of contentOf(blobs, org, sha256)) {
    content.set(piece, at);
    at += piece.length;
  }
  return content;
}

/**
 * Returns the `attestation_data` of an attestation, checked by its shape.
 *
 * @throws RefusalError
 */
export function dataOf<T>(shape: Component<T>, input: unknown): T {
  if (input === undefined || input === null) refuse({ attestation_data: 'Field required' });
  const result = checkBody(shape, input);
  if (!('errors' in result)) return result.value;
  // If the data is not an object, the error is about the whole field.
  const { body: whole, ...errors } = result.errors;
  refuse(errorsBelow('attestation_data', whole === undefined ? errors : { '': whole }));
}

/** Reads part by part, so that other work can run in between. */
async function componentsOf({ parts, left, unmatched, subject, serial }: SbomSummary): Promise<AttestedComponents> {
  const purl = subject?.purl == null ? null : completePurl(subject.purl, subject.version);
  const roots = [...(purl === null ? [] : [purl.text]), ...(serial === undefined ? [] : [`urn:cdx:${serial}`])];
  return { parts: await mapInSlices(parts, (part) => JSON.parse(part) as ListedComponent[]), left, unmatched, roots };
}

function answerOf({ format, createdAt, tools, subject, packageCount, unread, problems }: SbomSummary): SbomReadAnswer {
  const counts = { package_count: packageCount, unread_count: unread, problems };
  return { format, created_at: createdAt, tools, subject, ...counts };
}

function refuse(errors: FieldErrors): never {
  throw new RefusalError({ kind: 'invalid', errors });
}
