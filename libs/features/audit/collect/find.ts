import { aggregateNamed } from '@assurance/access/lookups/named';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Flow } from '@assurance/contracts/flows/documents';
import { attestations } from '@assurance/flows/domain/attestation';
import { flow as flows } from '@assurance/flows/domain/flow';
import { provenanceId, provenances } from '@assurance/flows/domain/provenance';
import { trail as trails } from '@assurance/flows/domain/trail';
import type { Refusal } from '@assurance/http';
import { no, ok, type Result } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import type { Subject } from '../package/manifest';

/** The scope of a package: a whole stream, or the events about one artifact or one attestation. */
export interface Scope {
  readonly what: Subject;
  readonly org: { readonly id: string; readonly name: string };
  readonly flow: Flow;
  /** Of the trail, or of the artifact that was reported without one. */
  readonly stream: string;
  /** Of this artifact alone; null: of every one, or with an attestation of none. */
  readonly fingerprint: string | null;
  /** Id: this attestation alone. */
  readonly attestation: string | null;
}

/** The requested subject of a package. */
export type PackageRequest =
  | { readonly kind: 'trail'; readonly trail: string }
  /** As reported in this trail; undefined: as reported last. */
  | { readonly kind: 'artifact'; readonly fingerprint: string; readonly trail: string | undefined }
  | { readonly kind: 'attestation'; readonly trail: string; readonly id: string };

/** Finds the stream of the requested subject by aggregate states, so a package can be requested as soon as the report was answered. */
export async function findScope(
  documents: Documents,
  org: Scope['org'],
  flowName: string,
  asked: PackageRequest,
): Promise<Result<Scope, Refusal>> {
  const flow = await aggregateNamed(documents, flows, org.id, flowName);
  if (flow === null) return no({ kind: 'flow-unknown', org: org.name, name: flowName });
  const scope = { org, flow, fingerprint: null, attestation: null };
  const of = { organization: org.name, flow: flow.name };
  if (asked.kind === 'artifact') {
    const { fingerprint, trail } = asked;
    const stream = await reportedIn(documents, flow.id, fingerprint, trail);
    if (stream === null) return no({ kind: 'artifact-unknown', asked: fingerprint, org: org.name, flow: flow.name });
    return ok({ ...scope, fingerprint, stream, what: { kind: 'artifact', ...of, fingerprint } });
  }
  const stream = streams.trail(flow.id, asked.trail);
  if ((await documents.collection(trails.states).get(stream)) === null)
    return no({ kind: 'trail-unknown', name: asked.trail, org: org.name, flow: flow.name });
  const { trail } = asked;
  if (asked.kind === 'trail') return ok({ ...scope, stream, what: { kind: 'trail', ...of, trail } });
  const found = await documents.collection(attestations).get(asked.id);
  if (found?.stream !== stream) return no({ kind: 'attestation-unknown', id: asked.id });
  const { id, fingerprint } = found;
  return ok({
    ...scope,
    stream,
    fingerprint,
    attestation: id,
    what: { kind: 'attestation', ...of, trail, attestation: id },
  });
}

/** The stream that reported an artifact last, or that of a trail where that did. */
async function reportedIn(
  documents: Documents,
  flow: string,
  fingerprint: string,
  trail: string | undefined,
): Promise<string | null> {
  const reports = documents.collection(provenances);
  if (trail !== undefined) {
    const found = await reports.get(provenanceId(fingerprint, streams.trail(flow, trail)));
    return found?.stream ?? null;
  }
  const [newest] = await reports.find({
    where: { 'first.flow.id': flow, fingerprint },
    order: orderBy('-first.reportedAt', '-first.artifactId'),
    limit: 1,
  });
  return newest?.doc.stream ?? null;
}
