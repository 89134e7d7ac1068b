import { body, optional } from '../../http/bodies/body';
import { DESCRIPTION_MAX, NAME_MAX } from '../../http/bodies/limits';
import { cutText } from '../../http/bodies/words';
import { PATTERNS } from '../../http/patterns';
import { text, type TypeOf } from '../../http/shape';
import { externalUrls, OriginCommitInput, RepoInput, userData } from './artifact';

/** Fields about the origin of a trail or an attestation. */
export const originFields = {
  description: optional(cutText(DESCRIPTION_MAX, 'The target.', { example: 'Sell tea' })),
  user_data: userData,
  git_commit_info: optional(OriginCommitInput),
  repo_info: optional(RepoInput),
  external_urls: optional(externalUrls),
  origin_url: optional(
    text('The origin, such as the run of a pipeline.', { max: 8_192, example: 'https://ci.example.com/runs/7' }),
  ),
} as const;

/** The `data_json` of `PUT /trails/{org}/{flow}`. */
export const TrailPutInput = body('TrailPutInput', {
  name: text('Name of the trail, unique in the flow.', { pattern: PATTERNS.trail, max: NAME_MAX, example: 'build-7' }),
  ...originFields,
});
export type TrailPutInput = TypeOf<typeof TrailPutInput>;
