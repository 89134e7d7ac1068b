import { CommitInput, type ExternalUrlInput, externalUrl, RepoInput, URLS } from './artifact';
import { FREE_JSON_BYTES, FREE_JSON_VALUES } from '../body-limits';
import { DESCRIPTION_MAX } from './limits';
import { AnyJson } from './report-rules';
import { Doc, MapOf, Nested, Optional, Text } from './rules';

/** Fields about the origin of a trail or an attestation. */
export abstract class OriginInput {
  @Doc('The target.', 'Sell tea')
  @Optional(Text({ max: DESCRIPTION_MAX }))
  description?: string;

  @Doc('Any JSON; stored and returned.', { run: 7 })
  @Optional(AnyJson(FREE_JSON_BYTES, FREE_JSON_VALUES))
  user_data?: unknown;

  @Optional(Nested(() => CommitInput))
  git_commit_info?: CommitInput;

  @Optional(Nested(() => RepoInput))
  repo_info?: RepoInput;

  @Optional(MapOf(externalUrl, URLS))
  external_urls?: Readonly<Record<string, ExternalUrlInput>>;

  @Doc('The origin, such as the run of a pipeline.', 'https://ci.example.com/runs/7')
  @Optional(Text({ max: 8_192 }))
  origin_url?: string;
}
