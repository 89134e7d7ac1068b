import { pageFields, pageLinks, tags } from '../../http/answers/common';
import {
  anything,
  component,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  type TypeOf,
  oneOf,
  text,
  url,
} from '../../http/shape';

/** Fields of a repository besides name and address. Events of trails have these fields too. */
export const repoMore = {
  tags,
  vcs_instance: nullable(text('The host of its address; null if that is no URL.')),
  namespace_path: list(text(), 'Names of its parent groups, as reported; empty if unknown.'),
  additional_info: map(anything(), 'As reported; empty if unknown.'),
};

export const repoAnswer = component('Repo', {
  id: text('The internal id, used in paths.'),
  name: text('Owner and name; not unique.'),
  url: text(),
  provider: nullable(text('Such as github.')),
  description: nullable(text()),
  repo_id: nullable(text('The id at the provider.')),
  ...repoMore,
  latest_activity: nullable(text('When something of it was last reported, in ISO 8601; null if that is not known.')),
  _links: object({ self: url(), deployments: url() }),
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
});
export type RepoAnswer = TypeOf<typeof repoAnswer>;

/** A page with counts and links beside the list: the fourth shape of pages in the API. */
export const repoPage = component('RepoPage', {
  repos: list(repoAnswer),
  ...pageFields,
  _links: nullable(pageLinks),
});
export type RepoPage = TypeOf<typeof repoPage>;

/** The values that filters of the list of repositories accept. */
export const repoFilterOptions = component('RepoFilterOptions', {
  providers: list(text(), 'Values of `provider`; `none` for repositories without one.'),
  vcs_instances: list(text(), 'Values of `vcs_instance`.'),
  namespace_values: list(text(), 'Names of the groups directly below `namespace`; of the topmost groups without it.'),
});
export type RepoFilterOptions = TypeOf<typeof repoFilterOptions>;

/** The artifacts of a repository that run now. */
export const repoLiveArtifacts = component('RepoLiveArtifacts', {
  live_artifacts: list(
    object({
      environment_id: text('Of `_embedded.environments`.'),
      artifact_id: text('Of `_embedded.artifacts`.'),
      artifact_name: text(),
      snapshot_index: integer('The snapshot in which it started.'),
      compliance: nullable(oneOf(['COMPLIANT', 'NON-COMPLIANT'], 'The verdict there; null if nothing judged it.')),
      started_at: number('Epoch seconds.'),
      _links: object({ snapshot: url() }),
    }),
    'By the name of the environment, then by name and fingerprint of the artifact.',
  ),
  _embedded: object({
    environments: list(
      object({ id: text(), name: text(), type: text(), _links: object({ self: url(), html: url() }) }),
    ),
    artifacts: list(
      object({
        id: text(),
        fingerprint: text(),
        commit_sha: nullable(text()),
        commit_url: nullable(text()),
        _links: object({ self: url(), html: url() }),
      }),
    ),
  }),
  _links: object({ self: url(), repo: url() }),
});
export type RepoLiveArtifacts = TypeOf<typeof repoLiveArtifacts>;
