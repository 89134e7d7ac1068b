import { pageFields, pageLinks, tags } from '../../http/answers/common';
import { anything, component, list, map, nullable, number, object, type Of, text, url } from '../../http/shape';

/** Fields of a repository besides name and address; events of trails have them too. */
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
export type RepoAnswer = Of<typeof repoAnswer>;

/** The fourth shape of a page. */
export const repoPage = component('RepoPage', {
  repos: list(repoAnswer),
  ...pageFields,
  _links: nullable(pageLinks),
});
export type RepoPage = Of<typeof repoPage>;
