import { findByName } from '@assurance/access/lookups/named';
import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import { plainDigits } from '@assurance/contracts/http/patterns';
import { attestations } from '@assurance/flows/domain/attestation';
import { flow as flows } from '@assurance/flows/domain/flow';
import { trail as trails } from '@assurance/flows/domain/trail';
import { reportsOf } from '@assurance/flows/read/artifacts/find';
import type { Refusal } from '@assurance/http';
import { err, ok, type Result } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import type { Subject } from '../package/manifest';

/** The scope of a package: a whole stream, or the events about one artifact or one attestation. */
export interface Scope {
  readonly what: Subject;
  readonly org: { readonly id: string; readonly name: string };
  readonly flow: Flow;
  /** The stream of the trail, or of the artifact that was reported without one. */
  readonly stream: string;
  /** Only this artifact; null: all artifacts, or none if `attestation` is set. */
  readonly fingerprint: string | null;
  /** Id of the only attestation; null: not limited to one. */
  readonly attestation: string | null;
}

/** The requested subject of a package. */
export type PackageRequest =
  | { readonly kind: 'trail'; readonly trail: string }
  /** The report in this trail; undefined: the last report. */
  | { readonly kind: 'artifact'; readonly fingerprint: string; readonly trail: string | undefined }
  | { readonly kind: 'attestation'; readonly trail: string; readonly id: string };

/** Finds the stream of the requested subject by aggregate states, so a package can be requested as soon as the report was answered. */
export async function findScope(
  documents: Documents,
  org: Scope['org'],
  flowName: string,
  request: PackageRequest,
): Promise<Result<Scope, Refusal>> {
  const flow = await findByName(documents, flows, org.id, flowName);
  if (flow === null) return err({ kind: 'flow-unknown', org: org.name, name: flowName });
  const scope = { org, flow, fingerprint: null, attestation: null };
  const of = { organization: org.name, flow: flow.name };
  if (request.kind === 'artifact') {
    const reports = await reportsOf(documents, { flow: flow.id }, 'fingerprint', plainDigits(request.fingerprint));
    const report = reports.find(({ first }) => request.trail === undefined || first.trail === request.trail);
    if (report === undefined) {
      return err({ kind: 'artifact-unknown', fingerprint: request.fingerprint, org: org.name, flow: flow.name });
    }
    const { fingerprint, stream } = report;
    return ok({ ...scope, fingerprint, stream, what: { kind: 'artifact', ...of, fingerprint } });
  }
  const stream = streams.trail(flow.id, request.trail);
  if ((await documents.collection(trails.states).get(stream)) === null)
    return err({ kind: 'trail-unknown', name: request.trail, org: org.name, flow: flow.name });
  const { trail } = request;
  if (request.kind === 'trail') return ok({ ...scope, stream, what: { kind: 'trail', ...of, trail } });
  const attestation = await documents.collection(attestations).get(request.id);
  if (attestation?.stream !== stream) return err({ kind: 'attestation-unknown', id: request.id });
  const { id, fingerprint } = attestation;
  return ok({
    ...scope,
    stream,
    fingerprint,
    attestation: id,
    what: { kind: 'attestation', ...of, trail, attestation: id },
  });
}
