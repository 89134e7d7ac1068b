import { WHOLE_LIST_MAX } from '../../environments/answers/catalogue';
import { gives, MADE_UP, tagChoice } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { followed, texts } from '../../http/params';
import { reads, route } from '../../http/route';
import { UNKNOWN } from '../../http/routes/unknown';
import { list, oneOf, text } from '../../http/shape';
import { repoAnswer, repoFilterOptions, type RepoLiveArtifacts, repoLiveArtifacts, repoPage } from '../answers/repo';

const tag = 'Repositories';
const { host, fingerprint, sha } = MADE_UP;
const ids = { environment: '018bcfe5-6800-7000-8000-000000000006', artifact: '018bcfe5-6800-7000-8000-000000000003' };
const production = `${host}/api/v2/environments/acme/production`;
const liveExample: RepoLiveArtifacts = {
  live_artifacts: [
    {
      environment_id: ids.environment,
      artifact_id: ids.artifact,
      artifact_name: 'shop/web:1.4',
      snapshot_index: 1,
      compliance: 'COMPLIANT',
      started_at: 1700000889,
      _links: { snapshot: `${host}/api/v2/snapshots/acme/production/1` },
    },
  ],
  _embedded: {
    environments: [
      {
        id: ids.environment,
        name: 'production',
        type: 'docker',
        _links: { self: production, html: `${host}/acme/environments/production` },
      },
    ],
    artifacts: [
      {
        id: ids.artifact,
        fingerprint,
        commit_sha: sha,
        commit_url: `https://github.com/acme/shop/commit/${sha}`,
        _links: {
          self: `${host}/api/v2/artifacts/acme/shop-web/fingerprint/${fingerprint}`,
          html: `${host}/acme/flows/shop-web/artifacts/${fingerprint}?artifact_id=018bcfe5-6800-7000-8000-00000003`,
        },
      },
    ],
  },
  _links: {
    self: `${host}/api/v2/repos/acme/live-artifacts/acme%2Fshop?id=${examples.repo.id}`,
    repo: `${host}/api/v2/repos/acme/${examples.repo.id}?id=${examples.repo.id}`,
  },
};
const selecting = {
  provider: text('Only of this provider; `none` for repositories without one.'),
  vcs_instance: text('Only with exactly this host of the address, such as `github.com`.'),
  namespace: text('Only below these groups, at any depth: their names with slashes between.'),
  tag: texts('Only with this tag, as `key` or `key:value`; repeat the parameter, all must match.'),
};

export const repoRoutes = {
  listRepos: route('GET', '/api/v2/repos/{org}', {
    ...reads(tag),
    summary: 'List repositories',
    description: 'Repositories of artifacts and trails, ordered by name.',
    query: {
      ...followed('Repositories'),
      name: text('Exactly this name.'),
      search: text('Only names that contain this text, in any letter case.'),
      ...selecting,
      repo_id: text('Only with this id at the provider.'),
      sort_direction: oneOf(['asc', 'desc'], 'Direction of the order by name.', { default: 'asc' }),
    },
    answers: gives('One page.', repoPage, examples.repos, 200, 'Link'),
  }),
  listRepoTags: route('GET', '/api/v2/repos/{org}/tags', {
    ...reads(tag),
    summary: 'List the tags of repositories',
    description: `The distinct pairs of key and value that repositories of the organization have, by key and value: at most ${WHOLE_LIST_MAX}. If there are more, the header \`X-Total-Count\` has their number.`,
    answers: gives('The tags.', list(tagChoice), [{ key: 'team', value: 'shop' }], 200, 'X-Total-Count'),
  }),
  getRepoFilterOptions: route('GET', '/api/v2/repos/{org}/filter-options', {
    ...reads(tag),
    summary: 'Get the options of filters',
    description: `The values that the list of repositories can be filtered by, under the given filters. Each list ignores the filter that its values are for, and has at most ${WHOLE_LIST_MAX}, in their order.`,
    query: selecting,
    answers: gives('The options.', repoFilterOptions, {
      providers: ['github', 'none'],
      vcs_instances: ['github.com'],
      namespace_values: ['acme'],
    }),
  }),
  getRepoLiveArtifacts: route('GET', '/api/v2/repos/{org}/live-artifacts/{name...}', {
    ...reads(tag),
    summary: 'List what of a repository runs',
    description: `Artifacts of the repository that run now in physical environments, with these environments: at most ${WHOLE_LIST_MAX}. If there are more, the header \`X-Total-Count\` has their number. If several repositories have the name, the youngest is meant.`,
    paths: { name: 'Name of the repository, with its slashes.' },
    query: {
      provider: text('The provider, if several repositories have the name; `none` for those without one.'),
      id: text('Internal id; used instead of the name.'),
    },
    answers: gives('What runs.', repoLiveArtifacts, liveExample, 200, 'X-Total-Count'),
    errors: { 404: [UNKNOWN.repo] },
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
} as const;
