import { examples, orgDeploymentPage, repoAnswer, repoDeploymentPage, repoPage } from '../answers';
import { choice, paged, text, texts } from '../params';
import { reads, route } from '../route';
import { deploymentPage } from './window';

const tag = 'Repositories';

export const repoRoutes = {
  listRepos: route('GET', '/api/v2/repos/{org}', {
    ...reads(tag),
    summary: 'List repositories',
    description: 'Repositories of artifacts and trails, ordered by name.',
    query: {
      ...paged('Repositories'),
      name: text({ description: 'Exactly this name.', empty: 'absent' }),
      search: text({ description: 'Only names that contain this text, in any letter case.', empty: 'absent' }),
      provider: text({ description: 'Only of this provider.', empty: 'absent' }),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      repo_id: text({ description: 'Only with this id at the provider.', empty: 'absent' }),
      sort_direction: choice(['asc', 'desc'], 'asc', 'Direction of the order by name.'),
    },
    answers: { 200: { description: 'One page.', shape: repoPage, example: examples.repos } },
  }),
  getRepo: route('GET', '/api/v2/repos/{org}/{name...}', {
    ...reads(tag),
    summary: 'Get a repository',
    description:
      'Selects the repository by its name, which may contain slashes, or by its internal id in `id`; then the path does not matter.',
    paths: { name: 'Name of the repository, with its slashes.' },
    query: {
      provider: text({ description: 'The provider, if several repositories have the name.', empty: 'absent' }),
      id: text({ description: 'Internal id; used instead of the name.', empty: 'absent' }),
    },
    answers: { 200: { description: 'The repository.', shape: repoAnswer, example: examples.repo } },
    errors: {
      400: ["Multiple repos named 'acme/shop' exist (github). Specify the 'provider' query parameter to choose one"],
      404: ["Repo 'acme/shop' not found"],
    },
  }),
  listRepoDeployments: route('GET', '/api/v2/repos/{org}/{repo}/deployments', {
    ...reads('Deployments'),
    summary: 'List deployments of a repository',
    description: 'Deployments of artifacts that were built from this repository, newest first.',
    paths: { repo: 'Internal id of the repository, or its name where that has no slash.' },
    query: { ...deploymentPage, env: texts('Only into these environments, by name; repeat the parameter.') },
    answers: { 200: { description: 'One page.', shape: repoDeploymentPage, example: examples.repoDeployments } },
    errors: { 404: ['Repo not found'] },
    texts: { 'repo-unknown': 'Repo not found' },
  }),
  listDeployments: route('GET', '/api/v2/deployments/{org}', {
    ...reads('Deployments'),
    summary: 'List deployments of an organization',
    description: 'Deployments to all environments of the organization with lead times, newest first.',
    query: {
      ...deploymentPage,
      repo_name: text({ description: 'Only from repositories of exactly this name.', empty: 'refused' }),
      env_name: text({ description: 'Only into the environment of exactly this name.', empty: 'refused' }),
    },
    answers: { 200: { description: 'One page.', shape: orgDeploymentPage, example: examples.orgDeployments } },
  }),
} as const;
