import { PATTERNS } from '../patterns';
import { annotation, ANNOTATIONS } from './artifact';
import { NAME_MAX } from './limits';
import { OriginInput } from './origin';
import { Doc, MapOf, Optional, Text, TextList } from './rules';

/** Fields of attestations of every type. */
export class AttestationInput extends OriginInput {
  @Doc('The name of the attestation, as in a template.', 'unit-test')
  @Text({ min: 1, max: NAME_MAX })
  attestation_name!: string;

  @Doc('The name in the template of the artifact, for attestations of artifacts. At most one.', ['web'])
  @Optional(TextList({ max: 1 }))
  target_artifacts?: readonly string[];

  @Doc('SHA-256 of the artifact, which must be reported in the trail.', 'a'.repeat(64))
  @Optional(Text({ pattern: PATTERNS.fingerprint }))
  artifact_fingerprint?: string;

  @Optional(MapOf(annotation, ANNOTATIONS))
  annotations?: Readonly<Record<string, string>>;
}
