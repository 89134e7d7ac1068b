import type { CommitInfo, RepoRef } from '@assurance/contracts/events/commit';
import type {
  Attachment,
  AttestationEvent,
  AttestationPayloadKept,
  AttestationReported,
  AttestationTarget,
  ComponentsListed,
  DecidedControl,
  FindingsListed,
  ListedComponent,
  ListedFinding,
} from '@assurance/contracts/evidence/events';
import type { Flow } from '@assurance/contracts/flows/documents';
import type { ExternalUrl, TrailBegun } from '@assurance/contracts/flows/events';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import type { AttestationDocument } from '@assurance/flows/domain/attestation';
import { trailBegunByReport } from '@assurance/flows/domain/begin-trail';
import type { ProvenanceDocument } from '@assurance/flows/domain/provenance';
import { templateAfter, type Trail } from '@assurance/flows/domain/trail';
import { accepted, type Decision, refused } from '@assurance/kernel';

/** The subject of an attestation as the client named it, before it is looked up. */
export type RequestedTarget =
  | { readonly kind: 'trail' }
  | { readonly kind: 'artifact'; readonly fingerprint: string }
  | { readonly kind: 'awaited'; readonly template: string; readonly commit: string };

/** An attestation as reported, with the verdict of the rule of its type. */
export interface Attest {
  readonly name: string;
  readonly type: string;
  readonly target: RequestedTarget;
  readonly compliant: boolean;
  /** The type that an override names as overridden; null for all other types. */
  readonly original: string | null;
  readonly typeVersion: number | null;
  readonly control: DecidedControl | null;
  readonly commit: CommitInfo | null;
  readonly originUrl: string | null;
  readonly attachments: readonly Attachment[];
  readonly payload: Readonly<Record<string, unknown>>;
  readonly userData: unknown;
  readonly description: string | null;
  readonly externalUrls: Readonly<Record<string, ExternalUrl>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Only SBOMs have components. */
  readonly components?: AttestedComponents | null;
  /** Only scanner reports on artifacts have findings. */
  readonly findings?: AttestedFindings | null;
}

/** The components of an SBOM. */
export interface AttestedComponents {
  /** The recorded components, in parts. */
  readonly parts: readonly (readonly ListedComponent[])[];
  /** How many components beyond the limit are left out. */
  readonly left: number;
  /** How many recorded components cannot be compared with databases of vulnerabilities. */
  readonly unmatched: number;
  /** Names by which VEX statements know what the SBOM describes. */
  readonly roots: readonly string[];
}

/** The findings of a scanner report. */
export interface AttestedFindings {
  /** The name of the scanner; empty if the report names none. */
  readonly tool: string;
  /** The recorded findings, in parts. */
  readonly parts: readonly (readonly ListedFinding[])[];
  /** How many findings are left out. */
  readonly left: number;
}

export interface AttestFacts {
  readonly flow: Pick<Flow, 'id' | 'name' | 'templateId' | 'archived'>;
  readonly trail: string;
  readonly repo: RepoRef | null;
  /** The report of the artifact in this trail. Null if the target is not an artifact, or if the trail has no such report. */
  readonly artifact: ProvenanceDocument | null;
  /** The newest attestation with the same target and name. */
  readonly newest: AttestationDocument | null;
  /** The newest attestation that an override replaces. For an artifact, it may be bound by the fingerprint or by the template name and commit. */
  readonly overridden: AttestationDocument | null;
  /** The id of the new attestation. */
  readonly id: string;
  /** The most attestations in a trail that differ in target or name. */
  readonly limit: number;
}

export type AttestRefusal =
  | FeatureRefusal<'flow-archived' | 'too-many-attestations'>
  | Pick<FeatureRefusal<'attested-artifact-unknown'>, 'kind' | 'fingerprint'>;

/** Records an attestation, and begins its trail if necessary. An attestation with a known name is a new record; the newest one counts. */
export function decideAttest(
  state: Trail | null,
  input: Attest,
  facts: AttestFacts,
): Decision<
  TrailBegun | AttestationReported | AttestationPayloadKept | ComponentsListed | FindingsListed,
  AttestRefusal
> {
  const { flow, newest, id, limit } = facts;
  if (flow.archived) return refused({ kind: 'flow-archived', name: flow.name });
  const target = targetOf(input.target, facts.artifact);
  if (target === null) return refused({ kind: 'attested-artifact-unknown', fingerprint: fingerprintOf(input.target) });
  if (newest === null && (state?.attested ?? 0) >= limit) return refused({ kind: 'too-many-attestations', limit });
  const { name, type, compliant, typeVersion, control, commit, originUrl, attachments } = input;
  const overridden = input.original === null ? null : facts.overridden;
  const { components, findings } = input;
  const attestationReported: AttestationReported = {
    type: 'AttestationReported',
    version: 1,
    data: {
      id,
      name,
      type,
      compliant,
      typeVersion,
      control,
      commit,
      originUrl,
      attachments,
      target,
      countsAs: overridden?.countsAs ?? input.original ?? type,
      previous: newest?.id ?? null,
      // An override of an override overrides the same attestation as the earlier override.
      overriddenId: overridden === null ? null : (overridden.overriddenId ?? overridden.id),
      repo: facts.repo,
      ...(state === null ? {} : templateAfter(state, flow)),
      ...(components ? { components: countsOf(components) } : {}),
      ...(findings ? { findings: { tool: findings.tool, ...countsOf(findings) } } : {}),
    },
  };
  const { payload, userData, description, externalUrls, annotations } = input;
  const content: AttestationPayloadKept = {
    type: 'AttestationPayloadKept',
    version: 1,
    data: { id, payload, userData, description, externalUrls, annotations },
  };
  const listedEvents: (ComponentsListed | FindingsListed)[] = [
    ...(components?.parts ?? []).map((part) => {
      return { type: 'ComponentsListed', version: 1, data: { components: part } } as const;
    }),
    ...(findings?.parts ?? []).map((part) => {
      return { type: 'FindingsListed', version: 1, data: { findings: part } } as const;
    }),
  ];
  if (state !== null)
    return accepted<AttestationReported, AttestationEvent>(attestationReported, content, ...listedEvents);
  return accepted<TrailBegun, AttestationEvent>(
    trailBegunByReport(flow, facts.trail),
    attestationReported,
    content,
    ...listedEvents,
  );
}

function countsOf({
  parts,
  left,
  unmatched = 0,
  roots = [],
}: {
  readonly parts: readonly (readonly unknown[])[];
  readonly left: number;
  readonly unmatched?: number;
  readonly roots?: readonly string[];
}) {
  return {
    listed: parts.reduce((sum, part) => sum + part.length, 0),
    left,
    ...(unmatched > 0 ? { unmatched } : {}),
    ...(roots.length > 0 ? { roots } : {}),
  };
}

/** Resolves a target. It returns null if the trail does not know the artifact. */
function targetOf(target: RequestedTarget, artifact: ProvenanceDocument | null): AttestationTarget | null {
  if (target.kind !== 'artifact') return target;
  if (artifact === null) return null;
  const { artifactId, filename, template } = artifact.first;
  return { kind: 'artifact', fingerprint: target.fingerprint, artifactId, filename, template };
}

function fingerprintOf(target: RequestedTarget): string {
  return target.kind === 'artifact' ? target.fingerprint : '';
}
