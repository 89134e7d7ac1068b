import { type CollectionShape, index, type InlineProjection } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { AttestationReported, AttestationTarget, DecidedControl } from '@assurance/contracts/evidence/events';
import { canonicalJson, sha256 } from '@assurance/kernel';
import type { ProvenanceDocument } from './provenance';

/** An attestation without its payload. Its commit contains the payload. */
export interface AttestationDocument {
  readonly id: string;
  readonly org: string;
  /** The stream of the trail, and the number of the commit that contains the whole attestation. */
  readonly stream: string;
  readonly seq: number;
  /** Id of the flow. */
  readonly flow: string;
  readonly trail: string;
  /** Its subject, as returned by `subjectOf`. */
  readonly subject: string;
  /** Null unless the attestation names an artifact. */
  readonly fingerprint: string | null;
  /** The name of the artifact in the template; null if the attestation is about the trail. */
  readonly template: string | null;
  readonly name: string;
  readonly type: string;
  /** The type that requirements compare with: for an override the type that it replaces, otherwise `type`. */
  readonly countsAs: string;
  readonly compliant: boolean;
  readonly overriddenId: string | null;
  readonly control: DecidedControl | null;
  /** The commit that the attestation is about; null if it named none. Missing in documents of earlier versions. */
  readonly commit?: string | null;
  /** Set if scanner findings are recorded with it. */
  readonly findings?: true;
  /** Integer milliseconds. */
  readonly at: number;
}

const NEWEST_FIRST = ['-at', '-id'];

/** Every attestation, by its id. */
export const attestations: CollectionShape<AttestationDocument> = {
  name: 'attestations',
  deferred: 'first',
  indexes: [
    index('by_organization', 'org', ...NEWEST_FIRST),
    index('by_name_in_organization', 'org', 'name', ...NEWEST_FIRST),
    index('by_commit', 'org', 'commit', ...NEWEST_FIRST),
    index('by_type', 'org', 'type', ...NEWEST_FIRST),
    index('by_flow', 'flow', ...NEWEST_FIRST),
    index('by_flow_and_type', 'flow', 'type', ...NEWEST_FIRST),
    { ...index('by_control', 'org', 'control.identifier', ...NEWEST_FIRST), only: 'control.identifier' },
    index('by_name', 'stream', 'name', ...NEWEST_FIRST),
    index('by_subject', 'stream', 'subject', 'name', ...NEWEST_FIRST),
    index('by_subject_in_time', 'stream', 'subject', ...NEWEST_FIRST),
    { ...index('by_findings', 'org', 'findings'), only: 'findings' },
  ],
};

/** The newest attestation of each target and name. It is the one that counts. Gates, statuses and evaluations read it. */
export const newestAttestations: CollectionShape<AttestationDocument> = {
  name: 'newest_attestations',
  deferred: 'first',
  indexes: [index('by_subject', 'stream', 'subject', ...NEWEST_FIRST)],
};

/** The subject of attestations about the trail itself. */
export const TRAIL_SUBJECT = 'trail';

/** The parts of a target that identify it. */
type Subject =
  | Exclude<AttestationTarget, { readonly kind: 'artifact' }>
  | { readonly kind: 'artifact'; readonly fingerprint: string };

/** Returns the subject of an attestation as one text. A newer attestation with equal subject and name replaces the older one. */
export function subjectOf(target: Subject): string {
  switch (target.kind) {
    case 'trail':
      return TRAIL_SUBJECT;
    case 'artifact':
      return `artifact/${target.fingerprint}`;
    case 'awaited':
      return `awaited/${target.commit}/${target.template}`;
  }
}

/** The fields of an artifact by which its attestations are found. */
export interface Attestable {
  readonly fingerprint: string;
  readonly template: string | null;
  readonly gitCommit: string;
}

/** Returns the subjects of attestations about an artifact: attestations that name it, and attestations that awaited its template name and commit. */
export function subjectsOf({ fingerprint, template, gitCommit }: Attestable): readonly string[] {
  const ownSubject = subjectOf({ kind: 'artifact', fingerprint });
  return template === null ? [ownSubject] : [ownSubject, subjectOf({ kind: 'awaited', template, commit: gitCommit })];
}

/** Returns the subjects of attestations about a reported artifact, as `subjectsOf` does. */
export function subjectsOfReport({ fingerprint, first }: ProvenanceDocument): readonly string[] {
  return subjectsOf({ fingerprint, template: first.template, gitCommit: first.gitCommit });
}

/** The id of the newest attestation of a target and name in a trail. */
export function newestAttestationId(stream: string, subject: string, name: string): string {
  // Hash both names, because together they could be longer than an id may be.
  return `${sha256(canonicalJson([subject, name]))}@${stream}`;
}

/** Returns the documents of an attestation. */
export function attestationDocuments({ data }: AttestationReported, meta: EventMeta): InlineProjection[] {
  const { id, name, type, countsAs, target, compliant, overriddenId, control } = data;
  const { org, stream, seq, at } = meta;
  const subject = subjectOf(target);
  const [flow = '', ...trail] = keyOf(stream).split('/');
  const doc: AttestationDocument = {
    id,
    org,
    stream,
    seq,
    flow,
    trail: trail.join('/'),
    subject,
    fingerprint: target.kind === 'artifact' ? target.fingerprint : null,
    template: target.kind === 'trail' ? null : target.template,
    name,
    type,
    countsAs,
    compliant,
    overriddenId,
    control,
    at,
    commit: data.commit?.sha1 ?? (target.kind === 'awaited' ? target.commit : null),
    ...((data.findings?.listed ?? 0) > 0 ? { findings: true } : {}),
  };
  return [
    { collection: attestations, id, doc },
    { collection: newestAttestations, id: newestAttestationId(stream, subject, name), doc },
  ];
}
