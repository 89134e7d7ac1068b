import { PATTERNS } from '../patterns';
import { CommitInput, type ExternalUrlInput, externalUrl, RepoInput, URLS } from './artifact';
import { DESCRIPTION_MAX, NAME_MAX } from './limits';
import { Doc, MapOf, Nested, Optional, Text } from './rules';

/** The `data_json` of `PUT /trails/{org}/{flow}` (WIRE 8.1). */
export class TrailPutInput {
  @Doc('Name of the trail, unique in the flow.', 'build-7')
  @Text({ pattern: PATTERNS.trail, max: NAME_MAX })
  name!: string;

  @Doc('What it is about.', 'Sell tea')
  @Optional()
  @Text({ max: DESCRIPTION_MAX })
  description?: string;

  @Doc('Any JSON; kept and served.', { run: 7 })
  @Optional()
  user_data?: unknown;

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
}
