import { attestation, attestationExamples, attestationList } from '../answers';
import { integer, text } from '../params';
import { route } from '../route';
import { list, text as textShape } from '../shape';

const tag = 'Attestations';
const unknownFlow = "Flow named 'shop-web' does not exist for organization 'acme'";
const unknownTrail = "Trail with name 'build-7' does not exist for Organization 'acme' and Flow 'shop-web'";
const { listed, whole } = attestationExamples;
const some = {
  description:
    'Newest first, at most 100, with what they carry: once that is more than 32 MiB together, older ones come without it.',
  shape: list(attestation),
  example: [whole],
};

export const attestationRoutes = {
  listAttestations: route({
    id: 'listAttestations',
    method: 'GET',
    path: '/api/v2/attestations/{org}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List attestations',
    description:
      'Attestations of the organization, newest first, without what they carry. With an id that one alone, with all of it; an unknown id finds nothing.',
    query: {
      attestation_id: text({ description: 'Only this one, with its payload.' }),
      flow_name: text({ description: 'Only of this flow.', empty: 'absent' }),
      attestation_type: text({ description: 'Only of this type.', empty: 'absent' }),
      page: integer({ min: 1, default: 1, description: 'Number of the page.' }),
      per_page: integer({ min: 1, max: 100, default: 15, description: 'Attestations per page.' }),
    },
    answers: { 200: { description: 'One page.', shape: attestationList, example: { data: [whole] } } },
    errors: { 404: [unknownFlow] },
  }),
  listTrailAttestations: route({
    id: 'listTrailAttestations',
    method: 'GET',
    path: '/api/v2/attestations/{org}/{flow}/trail/{trail}/{name}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List attestations of a name in a trail',
    description:
      'All that was attested in a trail under a name, of the trail and of its artifacts; with `<artifact>.<name>` only of that artifact of the template.',
    paths: { trail: 'Name of the trail.', name: 'Name of the attestation.' },
    answers: { 200: some },
    errors: { 404: [unknownFlow, unknownTrail] },
  }),
  listArtifactAttestations: route({
    id: 'listArtifactAttestations',
    method: 'GET',
    path: '/api/v2/attestations/{org}/{flow}/artifact/{fingerprint}/{name}',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'List attestations of a name on an artifact',
    description: 'All that was attested of an artifact in a flow under a name, also before the artifact was reported.',
    paths: { fingerprint: 'SHA-256 of the artifact.', name: 'Name of the attestation.' },
    answers: { 200: some },
    errors: { 404: [unknownFlow] },
  }),
  getEvidence: route({
    id: 'getEvidence',
    method: 'GET',
    path: '/api/v2/attestations/{org}/{flow}/trail/{trail}/attestation/{id}/evidence',
    owner: 'projection',
    permission: 'read',
    tag,
    summary: 'Download the evidence of an attestation',
    description: 'The files that came with an attestation, as they came, in one tar archive.',
    paths: { trail: 'Name of the trail.', id: 'Id of the attestation.' },
    media: ['application/x-tar'],
    answers: {
      200: { description: 'The archive.', shape: textShape(), example: 'junit.tgz…', headers: ['Content-Disposition'] },
    },
    errors: {
      404: [
        unknownFlow,
        unknownTrail,
        `Attestation '${listed.attestation_id}' does not exist`,
        `Attestation '${listed.attestation_id}' came without evidence`,
      ],
      410: [
        `The attachments of attestation '${listed.attestation_id}' were dropped: the organization keeps them for 3650 days (retention event 7)`,
      ],
    },
  }),
} as const;
