import { PATTERNS } from '../patterns';
import { annotation, ANNOTATIONS } from './artifact';
import { NAME_MAX } from './limits';
import { OriginInput } from './origin';
import { Doc, MapOf, Optional, Text, TextList } from './rules';

/** What attestations of every type say. */
export class AttestationInput extends OriginInput {
  @Doc("The attestation's name; a template asks for it by this name.", 'unit-test')
  @Text({ min: 1, max: NAME_MAX })
  attestation_name!: string;

  @Doc('Where it is about an artifact: the name of that artifact in the template. At most one.', ['web'])
  @Optional()
  @TextList({ max: 1 })
  target_artifacts?: readonly string[];

  @Doc('SHA-256 of the artifact that it is about, which has to be known in the trail.', 'a'.repeat(64))
  @Optional()
  @Text({ pattern: PATTERNS.fingerprint })
  artifact_fingerprint?: string;

  @Optional()
  @MapOf(annotation, ANNOTATIONS)
  annotations?: Readonly<Record<string, string>>;
}
