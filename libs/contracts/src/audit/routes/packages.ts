import { gives } from '../../http/answers/common';
import { route } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { text } from '../../http/shape';

const tag = 'Audit packages';
const download = {
  owner: 'audit-package',
  permission: 'read',
  tag,
  media: ['application/gzip'],
  answers: gives('A gzipped tar archive.', text(), 'audit-package-shop-web-build-7.tgz…', 200, 'Content-Disposition'),
} as const;
const about =
  'It has a manifest with the digest of every file, its signature, recorded events with their hash chain, the checkpoint that covers them, attestations with payloads and attachments, artifacts and where they ran, the flow and its template, the policies that judged them, and a PDF report. ' +
  'The same state gives the same content. `verify-package` and `sha256sum` check it without the service.';

export const packageRoutes = {
  getTrailPackage: route('GET', '/api/v2/trails/{org}/{flow}/{trail}/audit_package', {
    ...download,
    summary: 'Download the audit package of a trail',
    description: `Everything recorded of a trail, as one file. ${about}`,
    paths: { trail: 'Name of the trail.' },
    errors: { 404: ['Flow or trail not found', UNKNOWN.content] },
    texts: { 'flow-unknown': 'Flow or trail not found', 'trail-unknown': 'Flow or trail not found' },
  }),
  getTrailPdf: route('GET', '/api/v2/trails/{org}/{flow}/{trail}/audit_pdf', {
    ...download,
    media: ['application/pdf'],
    summary: 'Download the report of a trail',
    description: 'The PDF report of the audit package alone, to the byte.',
    paths: { trail: 'Name of the trail.' },
    answers: gives('A PDF document.', text(), '%PDF…', 200, 'Content-Disposition'),
    errors: { 404: ['Flow or trail not found'] },
    texts: { 'flow-unknown': 'Flow or trail not found', 'trail-unknown': 'Flow or trail not found' },
  }),
  getPackageOfArtifact: route('GET', '/api/v2/artifacts/{org}/{flow}/{fingerprint}/audit_package', {
    ...download,
    summary: 'Download the audit package of an artifact',
    description: 'The same as below `fingerprint`, at the path that published clients use.',
    paths: { fingerprint: 'SHA-256 of the artifact, or 5 or more of its first characters.' },
    query: { trail: text('As reported in this trail.') },
    errors: { 404: [UNKNOWN.flow, UNKNOWN.artifact, UNKNOWN.content] },
  }),
  getArtifactPackage: route('GET', '/api/v2/artifacts/{org}/{flow}/fingerprint/{fingerprint}/audit_package', {
    ...download,
    summary: 'Download the audit package of an artifact',
    description: `Everything recorded of one artifact in the trail that reported it last, and of that trail. ${about}`,
    paths: { fingerprint: 'SHA-256 of the artifact.' },
    query: { trail: text('As reported in this trail.') },
    errors: { 404: [UNKNOWN.flow, UNKNOWN.artifact, UNKNOWN.content] },
  }),
  getAttestationPackage: route(
    'GET',
    '/api/v2/attestations/{org}/{flow}/trail/{trail}/attestation/{id}/audit_package',
    {
      ...download,
      summary: 'Download the audit package of an attestation',
      description: `Everything recorded of one attestation and of its artifact. ${about}`,
      paths: { trail: 'Name of the trail.', id: 'Id of the attestation.' },
      errors: {
        404: [
          UNKNOWN.flow,
          UNKNOWN.trail,
          "Attestation '018bcfe5-6800-7000-8000-000000000009' does not exist",
          UNKNOWN.content,
        ],
      },
    },
  ),
} as const;
