import type { AttestationAnswer } from '@assurance/contracts-http';
import { commitAnswer } from '../commit-info';
import { links, type Site } from '../links';
import type { RecordedAttestation } from './read';

/**
 * An attestation as the wire shows it (WIRE 10.2); with what it carries where that was read.
 *
 * @param flow the flow's name as it is now
 * @param createdBy name of who reported it
 */
export function attestationAnswer(
  site: Site,
  { known, reported, payload }: RecordedAttestation,
  flow: string,
  createdBy: string,
): AttestationAnswer {
  const { id, commit, originUrl, attachments } = reported;
  return {
    attestation_id: id,
    attestation_name: known.name,
    attestation_type: known.type,
    is_compliant: known.compliant,
    artifact_fingerprint: known.fingerprint,
    target_artifact: known.template,
    flow_name: flow,
    trail_name: known.trail,
    overridden_attestation_id: known.overriddenId,
    created_at: known.at / 1000,
    created_by: createdBy,
    git_commit_info: commit === null ? null : commitAnswer(commit),
    origin_url: originUrl,
    attachments: attachments.map(({ filename, sha256, size }) => ({ filename, sha256, size })),
    html_url: links.attestationPage(site, flow, known.trail, id),
    ...(payload === null ? {} : carried(reported, payload)),
  };
}

function carried(
  { control, typeVersion }: RecordedAttestation['reported'],
  { payload, userData, description, externalUrls, annotations }: NonNullable<RecordedAttestation['payload']>,
): Partial<AttestationAnswer> {
  return {
    description,
    user_data: userData,
    external_urls: externalUrls,
    annotations,
    ...payload,
    ...(typeVersion === null ? {} : { type_version: typeVersion }),
    ...(control === null ? {} : { control: control.identifier, control_version: control.version }),
  };
}
