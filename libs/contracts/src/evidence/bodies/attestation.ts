import { annotation, ANNOTATIONS } from '../../flows/bodies/artifact';
import { originFields } from '../../flows/bodies/origin';
import type { BodyOf } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { Anything, Doc, Fingerprint, MapOf, Optional, Text, TextList } from '../../http/bodies/rules';

/** Fields of attestations of every type. */
export const attestationFields = {
  ...originFields,
  user_data: [Doc('Any JSON; stored and returned.', { run: 7 }), Anything()],
  attestation_name: [
    Doc('The name of the attestation, as in a template.', 'unit-test'),
    Text({ min: 1, max: NAME_MAX }),
  ],
  target_artifacts: [
    Doc('The name in the template of the artifact, for attestations of artifacts. At most one.', ['web']),
    Optional(TextList({ max: 1 })),
  ],
  artifact_fingerprint: [
    Doc('SHA-256 of the artifact, which must be reported in the trail.', 'a'.repeat(64)),
    Optional(Fingerprint()),
  ],
  annotations: Optional(MapOf(annotation, ANNOTATIONS)),
} as const;
export type AttestationInput = BodyOf<typeof attestationFields>;
