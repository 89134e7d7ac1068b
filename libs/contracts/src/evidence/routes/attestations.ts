import { gives } from '../../http/answers/common';
import { emptyOrText, followed, LARGE_PAGE, names, paged, timestamp } from '../../http/params';
import { reads, route } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { flag, list, map, nullable, text } from '../../http/shape';
import { attestation, attestationExamples, attestationList, flowAttestations } from '../answers/attestation';
import { systemAttestationType, systemAttestationTypesExample } from '../answers/system-type';

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
      'Attestations of the organization, newest first, without their payloads. With an id, only that attestation with its payload; an unknown id gives an empty list. Follow `_links.next` until it is absent. A page ends after 10,000 attestations that the filters were compared with, so it can hold fewer than `per_page`.',
    query: {
      attestation_id: emptyOrText('Only the attestation with this id, with its payload.'),
      name: text('Only attestations with exactly this name. Not together with `name_regex`.'),
      name_regex: text('Only attestations in whose name this regular expression (RE2) is found.'),
      flow: names('Only of these flows, by name.'),
      type: names('Only of these types: a built-in type, or `custom:` and the name of a type.'),
      is_compliant: nullable(flag('Only compliant or only non-compliant attestations.')),
      from_timestamp: timestamp('Only attestations that were reported at this time or later.'),
      to_timestamp: timestamp('Only attestations that were reported at this time or earlier.'),
      flow_name: text('The same as `flow`.'),
      attestation_type: text('The same as `type`.'),
      ...followed('Attestations', 20),
    },
    answers: gives('One page.', attestationList, { data: [whole], _links: {} }, 200, 'Link'),
    errors: { 404: [UNKNOWN.flow] },
  }),
  listSystemAttestationTypes: route('GET', '/api/v2/attestations/system-attestation-types', {
    ...reads(tag, 'self'),
    summary: 'List built-in attestation types',
    description: 'Each built-in type with the JSON schema of its data, for each version of the type.',
    answers: gives('The types, ordered by name.', list(systemAttestationType), systemAttestationTypesExample),
  }),
  listCommitAttestations: route('GET', '/api/v2/attestations/{org}/list_attestations_for_criteria', {
    ...reads(tag),
    summary: 'List attestations of commits',
    description:
      'For each commit of `commit_list` its attestations, newest first, with payloads: at most 100 for a commit and 1,000 in total. An attestation belongs to the commit that its report named. If payloads exceed 32 MiB in total, further attestations have none.',
    query: {
      commit_list: names('The commits, 1 to 500: 40 or 64 hexadecimal digits each.'),
      flow_name: text('Only of this flow.'),
      attestation_name: text('Only attestations with this name.'),
      attestation_type: text('Only attestations of this type.'),
      attestation_id: text('Accepted and ignored.'),
    },
    answers: gives('Lists of attestations, by commit.', map(list(attestation)), { ['4f'.repeat(20)]: [whole] }),
    errors: { 404: [UNKNOWN.flow] },
  }),
  listFlowAttestations: route('GET', '/api/v2/attestations/{org}/{flow}', {
    ...reads(tag),
    summary: 'List attestations of a flow',
    description:
      'Attestations of a flow, newest first, with payloads. If payloads exceed 32 MiB in total, older attestations have none.',
    query: {
      ...paged('Attestations', 20, LARGE_PAGE),
      from_timestamp: timestamp('Only attestations that were reported at this time or later.'),
      to_timestamp: timestamp('Only attestations that were reported at this time or earlier.'),
    },
    answers: gives('One page.', flowAttestations, {
      data: [whole],
      pagination: { total: 1, page: 1, per_page: 20, page_count: 1 },
    }),
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
    paths: { fingerprint: 'The fingerprint, or 5 or more of its first characters.', name: 'Name of the attestation.' },
    answers: some,
    errors: { 404: [UNKNOWN.flow] },
  }),
  getEvidence: route('GET', '/api/v2/attestations/{org}/{flow}/trail/{trail}/attestation/{id}/evidence', {
    ...reads(tag),
    summary: 'Download the evidence of an attestation',
    description: 'The unchanged attachments of an attestation, in one tar archive.',
    paths: { trail: 'Name of the trail.', id: 'Id of the attestation.' },
    media: ['application/x-tar'],
    answers: gives('The archive.', text(), 'junit.tgz…', 200, 'Content-Disposition'),
    errors: {
      404: [
        UNKNOWN.flow,
        UNKNOWN.trail,
        `Attestation '${listed.attestation_id}' does not exist`,
        `Attestation '${listed.attestation_id}' came without evidence`,
        UNKNOWN.content,
      ],
      410: [
        `The attachments of attestation '${listed.attestation_id}' were dropped: the organization keeps them for 3650 days (retention event 7)`,
      ],
    },
  }),
} as const;
