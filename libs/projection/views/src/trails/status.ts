import { type FlowTemplate, streams } from '@assurance/contracts-events';
import type { AttestationStatusAnswer, ComplianceStatusAnswer } from '@assurance/contracts-http';
import {
  type AttestationStatus,
  flowTemplates,
  provenances,
  type ReportedArtifact,
  type Trail,
  type TrailStatus,
  trailStatus,
} from '@assurance/model-flow';
import type { Documents } from '@assurance/storage-ports';
import { BrokenRecord } from '@assurance/storage-records';

/** The most artifacts of a trail that are judged: the newest. */
const ARTIFACTS_MAX = 1_000;

/** The template in force of a trail, or of a flow. */
export async function templateOf(documents: Documents, templateId: string): Promise<FlowTemplate> {
  const kept = await documents.collection(flowTemplates).get(templateId);
  if (kept === null) throw new BrokenRecord(`the template ${templateId} is gone`);
  return kept.template;
}

/** A trail against its template, by the artifacts reported in it. */
export async function statusOf(documents: Documents, { flow, name }: Trail, template: FlowTemplate) {
  const found = await documents.collection(provenances).find({
    where: { stream: streams.trail(flow.id, name) },
    order: [['first.reportedAt', 'desc']],
    limit: ARTIFACTS_MAX,
  });
  return trailStatus(
    template,
    found.map(({ doc: { fingerprint, first } }): ReportedArtifact => {
      return { fingerprint, artifactId: first.artifactId, template: first.template };
    }),
  );
}

/** A status as the wire shows it (WIRE 8.3). It holds as of the trail's last change. */
export function statusAnswer(status: TrailStatus, { lastModifiedAt, templateId }: Trail): ComplianceStatusAnswer {
  const evaluated = { evaluated_at: lastModifiedAt / 1000, flow_template_id: templateId };
  const artifacts = [...status.artifacts].map(([name, artifact]) => {
    const answer = {
      artifact_fingerprint: artifact.fingerprint,
      artifact_id: artifact.artifactId,
      status: artifact.status,
      is_compliant: artifact.status === 'COMPLIANT',
      attestations_statuses: artifact.attestations.map(attestationAnswer),
      unexpected: artifact.unexpected,
      ...evaluated,
    };
    return [name, answer] as const;
  });
  return {
    status: status.status,
    is_compliant: status.status === 'COMPLIANT',
    attestations_statuses: status.attestations.map(attestationAnswer),
    artifacts_statuses: Object.fromEntries(artifacts),
    ...evaluated,
  };
}

function attestationAnswer(status: AttestationStatus): AttestationStatusAnswer {
  return {
    attestation_name: status.name,
    attestation_type: status.type,
    attestation_id: status.attestationId,
    overridden_attestation_id: status.overriddenId,
    status: status.status,
    is_compliant: status.compliant,
    unexpected: status.unexpected,
  };
}
