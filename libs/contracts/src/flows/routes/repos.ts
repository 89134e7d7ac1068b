import {
  DEPLOYMENT_KINDS,
  detailedDeploymentPage,
  orgDeploymentPage,
  repoDeploymentPage,
} from '../../deployments/answers/deployment';
import { gives } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { choice, choices, followed, names, text, texts } from '../../http/params';
import { reads, route } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { deploymentPage } from '../../http/routes/window';
import { repoAnswer, repoPage } from '../answers/repo';

const tag = 'Repositories';

export const repoRoutes = {
  listRepos: route('GET', '/api/v2/repos/{org}', {
    ...reads(tag),
    summary: 'List repositories',
    description: 'Repositories of artifacts and trails, ordered by name.',
    query: {
      ...followed('Repositories'),
      name: text('Exactly this name.'),
      search: text('Only names that contain this text, in any letter case.'),
      provider: text('Only of this provider; `none` for repositories without one.'),
      vcs_instance: text('Only with exactly this host of the address, such as `github.com`.'),
      namespace: text('Only below these groups, at any depth: their names with slashes between.'),
      tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
      repo_id: text('Only with this id at the provider.'),
      sort_direction: choice(['asc', 'desc'], 'asc', 'Direction of the order by name.'),
    },
    answers: gives('One page.', repoPage, examples.repos, 200, 'Link'),
  }),
  getRepo: route('GET', '/api/v2/repos/{org}/{name...}', {
    ...reads(tag),
    summary: 'Get a repository',
    description:
      'Selects the repository by its name, which may contain slashes, or by its internal id in `id`; then the path does not matter. Letter case does not matter where the provider ignores it. The id of a repository that was joined to another selects that one.',
    paths: { name: 'Name of the repository, with its slashes.' },
    query: {
      provider: text('The provider, if several repositories have the name; `none` for those without one.'),
      id: text('Internal id; used instead of the name.'),
    },
    answers: gives('The repository.', repoAnswer, examples.repo),
    errors: {
      400: [
        "Multiple repos named 'acme/shop' exist (github, none). Specify the 'provider' query parameter to choose one, or the 'id': 018bcfe5-6800-7000-8000-000000000002 (https://github.com/acme/shop), 018bcfe5-6800-7000-8000-000000000003 (https://git.example.com/acme/shop)",
      ],
      404: [UNKNOWN.repo],
    },
  }),
  listRepoDeployments: route('GET', '/api/v2/repos/{org}/{repo}/deployments', {
    ...reads('Deployments'),
    summary: 'List deployments of a repository',
    description: 'Deployments of artifacts that were built from this repository, newest first.',
    paths: { repo: 'Internal id of the repository, or its name where that has no slash.' },
    query: { ...deploymentPage, env: names('Only into these environments, by name; repeat the parameter.') },
    answers: gives('One page.', repoDeploymentPage, examples.repoDeployments),
    errors: { 404: ['Repo not found'] },
    texts: { 'repo-unknown': 'Repo not found' },
  }),
  listDeployments: route('GET', '/api/v2/deployments/{org}', {
    ...reads('Deployments'),
    summary: 'List deployments of an organization',
    description: 'Deployments to all environments of the organization with lead times, newest first.',
    query: {
      ...deploymentPage,
      repo_name: text('Only from repositories of exactly this name.', 'refused'),
      env_name: text('Only into the environment of exactly this name.', 'refused'),
    },
    answers: gives('One page.', orgDeploymentPage, examples.orgDeployments),
  }),
  listDetailedDeployments: route('GET', '/api/v2/deployments/{org}/detailed', {
    ...reads('Deployments'),
    summary: 'List deployments with their kinds',
    description:
      'Deployments to all environments of the organization, newest first, each with its kind, its lead time and what it replaced.',
    query: {
      ...deploymentPage,
      repo_name: text('Only from repositories of exactly this name.', 'refused'),
      repo_id: text('Only from the repository of this internal id.', 'refused'),
      env_name: names('Only into these environments, by name; repeat the parameter.'),
      kind: choices(DEPLOYMENT_KINDS, 'Only of these kinds; repeat the parameter.'),
    },
    answers: gives('One page.', detailedDeploymentPage, examples.detailedDeployments),
  }),
} as const;
