import { gives } from '../../http/answers/common';
import { followed, text } from '../../http/params';
import { reads, route } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { list, text as textShape } from '../../http/shape';
import { attestation, attestationExamples, attestationList } from '../answers/attestation';

const tag = 'Attestations';
const { listed, whole } = attestationExamples;
const some = gives(
  'Newest first, at most 100, with payloads. If these exceed 32 MiB in total, older attestations have none.',
  list(attestation),
  [whole],
);

export const attestationRoutes = {
  listAttestations: route('GET', '/api/v2/attestations/{org}', {
    ...reads(tag),
    summary: 'List attestations',
    description:
      'Attestations of the organization, newest first, without their payloads. With an id, only that attestation with its payload; an unknown id gives an empty list.',
    query: {
      attestation_id: text('Only the attestation with this id, with its payload.', 'kept'),
      flow_name: text('Only of this flow.'),
      attestation_type: text('Only of this type.'),
      ...followed('Attestations'),
    },
    answers: gives('One page.', attestationList, { data: [whole] }, 200, 'Link'),
    errors: { 404: [UNKNOWN.flow] },
  }),
  listTrailAttestations: route('GET', '/api/v2/attestations/{org}/{flow}/trail/{trail}/{name}', {
    ...reads(tag),
    summary: 'List attestations of a name in a trail',
    description:
      'All attestations of a name in a trail, of the trail and of its artifacts. `<artifact>.<name>` selects those of one artifact of the template.',
    paths: { trail: 'Name of the trail.', name: 'Name of the attestation.' },
    answers: some,
    errors: { 404: [UNKNOWN.flow, UNKNOWN.trail] },
  }),
  listArtifactAttestations: route('GET', '/api/v2/attestations/{org}/{flow}/artifact/{fingerprint}/{name}', {
    ...reads(tag),
    summary: 'List attestations of a name on an artifact',
    description: 'All attestations of a name on an artifact in a flow, also those before the artifact was reported.',
    paths: { fingerprint: 'SHA-256 of the artifact.', name: 'Name of the attestation.' },
    answers: some,
    errors: { 404: [UNKNOWN.flow] },
  }),
  getEvidence: route('GET', '/api/v2/attestations/{org}/{flow}/trail/{trail}/attestation/{id}/evidence', {
    ...reads(tag),
    summary: 'Download the evidence of an attestation',
    description: 'The unchanged attachments of an attestation, in one tar archive.',
    paths: { trail: 'Name of the trail.', id: 'Id of the attestation.' },
    media: ['application/x-tar'],
    answers: gives('The archive.', textShape(), 'junit.tgz…', 200, 'Content-Disposition'),
    errors: {
      404: [
        UNKNOWN.flow,
        UNKNOWN.trail,
        `Attestation '${listed.attestation_id}' does not exist`,
        `Attestation '${listed.attestation_id}' came without evidence`,
      ],
      410: [
        `The attachments of attestation '${listed.attestation_id}' were dropped: the organization keeps them for 3650 days (retention event 7)`,
      ],
    },
  }),
} as const;
