import { tags } from '../../http/answers/common';
import { anything, component, integer, list, map, nullable, number, type Of, text } from '../../http/shape';

/** Fields of a repository besides name and address; events of trails have them too. */
export const repoMore = {
  tags,
  vcs_instance: nullable(text('Null: unknown.')),
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
  created_at: number('Epoch seconds.'),
  last_modified_at: number('Epoch seconds.'),
});
export type RepoAnswer = Of<typeof repoAnswer>;

/** The fourth shape of a page. */
export const repoPage = component('RepoPage', {
  repos: list(repoAnswer),
  page: integer(),
  total_pages: integer(),
  total_count: integer(),
});
export type RepoPage = Of<typeof repoPage>;
