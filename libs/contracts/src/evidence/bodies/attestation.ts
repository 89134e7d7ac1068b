import { annotations } from '../../flows/bodies/artifact';
import { originFields } from '../../flows/bodies/origin';
import type { BodyOf } from '../../http/bodies/body';
import { optional } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { anyJson, fingerprint } from '../../http/bodies/words';
import { list, text } from '../../http/shape';

/** Fields of attestations of every type. */
export const attestationFields = {
  ...originFields,
  user_data: anyJson('Any JSON; stored and returned.', { example: { run: 7 } }),
  attestation_name: text('The name of the attestation, as in a template.', {
    min: 1,
    max: NAME_MAX,
    example: 'unit-test',
  }),
  target_artifacts: optional(
    list(text(), 'The name in the template of the artifact, for attestations of artifacts. At most one.', {
      max: 1,
      example: ['web'],
    }),
  ),
  artifact_fingerprint: optional(
    fingerprint('SHA-256 of the artifact, which must be reported in the trail.', { example: 'a'.repeat(64) }),
  ),
  annotations: optional(annotations),
} as const;
export type AttestationInput = BodyOf<typeof attestationFields>;
