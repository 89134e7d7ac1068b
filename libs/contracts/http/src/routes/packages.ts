import { text } from '../params';
import { route } from '../route';
import { text as textShape } from '../shape';

const tag = 'Audit packages';
const download = { owner: 'audit-package', permission: 'read', tag } as const;
const file = {
  200: {
    description: 'A gzipped tar archive.',
    shape: textShape(),
    example: 'audit-package-shop-web-build-7.tgz…',
    headers: ['Content-Disposition'],
  },
} as const;
const about =
  'It has a manifest with the digest of every file, its signature, recorded events with their hash chain, the checkpoint that covers them, attestations with payloads and attachments, artifacts and where they ran, the flow and its template, the policies that judged them, and a PDF report. ' +
  'The same state gives the same content. `verify-package` and `sha256sum` check it without the service.';
const unknownFlow = "Flow named 'shop-web' does not exist for organization 'acme'";
const fingerprint = 'c0ffee00'.repeat(8);

export const packageRoutes = {
  getTrailPackage: route('GET', '/api/v2/trails/{org}/{flow}/{trail}/audit_package', {
    ...download,
    summary: 'Download the audit package of a trail',
    description: `Everything recorded of a trail, as one file. ${about}`,
    paths: { trail: 'Name of the trail.' },
    media: ['application/gzip'],
    answers: file,
    errors: { 404: ['Flow or trail not found'] },
    texts: { 'flow-unknown': 'Flow or trail not found', 'trail-unknown': 'Flow or trail not found' },
  }),
  getArtifactPackage: route('GET', '/api/v2/artifacts/{org}/{flow}/fingerprint/{fingerprint}/audit_package', {
    ...download,
    summary: 'Download the audit package of an artifact',
    description: `Everything recorded of one artifact in the trail that reported it last, and of that trail. ${about}`,
    paths: { fingerprint: 'SHA-256 of the artifact.' },
    query: { trail: text('As reported in this trail.') },
    media: ['application/gzip'],
    answers: file,
    errors: {
      404: [
        unknownFlow,
        `Artifact with fingerprint '${fingerprint}' does not exist in flow 'shop-web' belonging to organization 'acme'`,
      ],
    },
  }),
  getAttestationPackage: route(
    'GET',
    '/api/v2/attestations/{org}/{flow}/trail/{trail}/attestation/{id}/audit_package',
    {
      ...download,
      summary: 'Download the audit package of an attestation',
      description: `Everything recorded of one attestation and of its artifact. ${about}`,
      paths: { trail: 'Name of the trail.', id: 'Id of the attestation.' },
      media: ['application/gzip'],
      answers: file,
      errors: {
        404: [
          unknownFlow,
          "Trail with name 'build-7' does not exist for Organization 'acme' and Flow 'shop-web'",
          "Attestation '018bcfe5-6800-7000-8000-000000000009' does not exist",
        ],
      },
    },
  ),
} as const;
