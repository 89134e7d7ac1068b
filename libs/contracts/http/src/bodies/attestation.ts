import { PATTERNS } from '../patterns';
import { annotation, ANNOTATIONS, CommitInput, type ExternalUrlInput, externalUrl, RepoInput, URLS } from './artifact';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { Doc, MapOf, Nested, Optional, Text, TextList } from './rules';

/** What attestations of every type say (WIRE 10.1). */
export class AttestationInput {
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
  @Nested(() => CommitInput)
  git_commit_info?: CommitInput;

  @Optional()
  @Nested(() => RepoInput)
  repo_info?: RepoInput;

  @Optional()
  @MapOf(externalUrl, URLS)
  external_urls?: Readonly<Record<string, ExternalUrlInput>>;

  @Doc('Where it comes from, such as the run of a pipeline.', 'https://ci.example.com/runs/7')
  @Optional()
  @Text({ max: 8_192 })
  origin_url?: string;

  @Doc('Any JSON; kept and served.', { run: 7 })
  @Optional()
  user_data?: unknown;

  @Optional()
  @Text({ max: DESCRIPTION_MAX })
  description?: string;

  @Optional()
  @MapOf(annotation, ANNOTATIONS)
  annotations?: Readonly<Record<string, string>>;
}
