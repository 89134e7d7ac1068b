import { AnyJson } from '../../environments/bodies/report-rules';
import { body } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { CutText, Doc, Nested, Optional, Text } from '../../http/bodies/rules';
import { FREE_JSON_BYTES, FREE_JSON_VALUES } from '../../http/body-limits';
import { PATTERNS } from '../../http/patterns';
import { ExternalUrls, OriginCommitInput, RepoInput } from './artifact';

/** Fields about the origin of a trail or an attestation. */
export const originFields = {
  description: [Doc('The target.', 'Sell tea'), Optional(CutText(DESCRIPTION_MAX))],
  user_data: [Doc('Any JSON; stored and returned.', { run: 7 }), Optional(AnyJson(FREE_JSON_BYTES, FREE_JSON_VALUES))],
  git_commit_info: Optional(Nested(() => OriginCommitInput)),
  repo_info: Optional(Nested(() => RepoInput)),
  external_urls: Optional(ExternalUrls()),
  origin_url: [
    Doc('The origin, such as the run of a pipeline.', 'https://ci.example.com/runs/7'),
    Optional(Text({ max: 8_192 })),
  ],
} as const;

/** The `data_json` of `PUT /trails/{org}/{flow}`. */
export const TrailPutInput = body('TrailPutInput', {
  name: [Doc('Name of the trail, unique in the flow.', 'build-7'), Text({ pattern: PATTERNS.trail, max: NAME_MAX })],
  ...originFields,
});
export type TrailPutInput = InstanceType<typeof TrailPutInput>;
