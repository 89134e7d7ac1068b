import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import { links, type Site } from '@assurance/contracts/http/links';
import { attestedCommitAnswer } from '@assurance/flows/lookups/commit-answer';
import type { DropInfo } from '../../domain/retention-state';
import { droppedAnswer } from '../retention-answer';
import { madeAtOf } from './made-at';
import type { RecordedAttestation } from './read';

/**
 * Builds the API answer for an attestation. It contains the payload if the payload was read.
 *
 * @param flow the current name of the flow
 * @param createdBy name of the reporter
 * @param rules the rules by which retention dropped parts of attestations of this age
 */
export function attestationAnswer(
  site: Site,
  { document, reported, payload }: RecordedAttestation,
  flow: string,
  createdBy: string,
  rules: readonly DropInfo[] = [],
): AttestationAnswer {
  const { id, commit, originUrl, attachments, control } = reported;
  const dropInfos = rules.filter(({ what }) => what !== 'attachments' || attachments.length > 0);
  const evidence = attachments.length === 0 ? null : links.evidencePath(site, flow, document.trail, id);
  return {
    attestation_id: id,
    attestation_name: document.name,
    attestation_type: document.type,
    is_compliant: document.compliant,
    artifact_fingerprint: document.fingerprint,
    target_artifact: document.template,
    flow_name: flow,
    trail_name: document.trail,
    overridden_attestation_id: document.overriddenId,
    created_at: document.at / 1000,
    created_by: createdBy,
    git_commit_info: commit === null ? null : attestedCommitAnswer(commit),
    origin_url: originUrl,
    attachments: attachments.map(({ filename, sha256, size }) => ({ filename, sha256, size })),
    target_artifacts: document.template === null ? [] : [document.template],
    reported_by: createdBy,
    evidence_archive_path: evidence,
    evidence_archive_fingerprint: attachments.length === 1 ? (attachments[0]?.sha256 ?? null) : null,
    has_audit_package: true,
    schema_version: 1,
    html_url: links.attestationPage(site, flow, document.trail, id),
    _links: { self: links.attestation(site, id), evidence: evidence && site.publicUrl + evidence },
    ...(control === null ? {} : { control: control.identifier, control_version: control.version }),
    ...(payload === null ? {} : detailFields(reported, payload)),
    ...(dropInfos.length === 0 ? {} : { dropped: dropInfos.map(droppedAnswer) }),
  };
}

function detailFields(
  { typeVersion }: RecordedAttestation['reported'],
  { payload, userData, description, externalUrls, annotations }: NonNullable<RecordedAttestation['payload']>,
): Partial<AttestationAnswer> {
  const madeAt = madeAtOf(payload);
  return {
    description,
    ...(madeAt === null ? {} : { made_at: madeAt }),
    user_data: userData,
    external_urls: externalUrls,
    annotations,
    ...payload,
    ...('snyk_results' in payload ? { processed_snyk_results: payload['snyk_results'] } : {}),
    ...(typeVersion === null ? {} : { type_version: typeVersion }),
  };
}
