import type { AttestationStatusAnswer, ComplianceStatusAnswer } from '@assurance/contracts/flows/answers/trail';
import type { TrailStatus } from '../../domain/compliance';
import type { AttestationStatus } from '../../domain/requirements';
import type { Trail } from '../../domain/trail';

/** Builds the API answer for a status. It is valid as of the trail's last change. */
export function statusAnswer(status: TrailStatus, { lastModifiedAt, templateId }: Trail): ComplianceStatusAnswer {
  const evaluation = { evaluated_at: lastModifiedAt / 1000, flow_template_id: templateId };
  const artifacts = [...status.artifacts].map(([name, artifact]) => {
    const answer = {
      artifact_fingerprint: artifact.fingerprint,
      artifact_id: artifact.artifactId,
      status: artifact.status,
      is_compliant: artifact.status === 'COMPLIANT',
      attestations_statuses: artifact.attestations.map(attestationAnswer),
      unexpected: artifact.unexpected,
      ...evaluation,
    };
    return [name, answer] as const;
  });
  return {
    status: status.status,
    is_compliant: status.status === 'COMPLIANT',
    attestations_statuses: status.attestations.map(attestationAnswer),
    artifacts_statuses: Object.fromEntries(artifacts),
    ...evaluation,
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
