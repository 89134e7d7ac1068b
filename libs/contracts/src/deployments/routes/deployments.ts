import { gives } from '../../http/answers/common';
import { examples } from '../../http/answers/examples';
import { names, positions, texts, writtenTime } from '../../http/params';
import { reads, route } from '../../http/route';
import { NO_ENVIRONMENT } from '../../http/routes/unknown';
import { deploymentPage, windowed } from '../../http/routes/window';
import { integer, list, oneOf, text } from '../../http/shape';
import {
  DEPLOYMENT_KINDS,
  detailedDeployment,
  detailedDeploymentPage,
  orgDeploymentPage,
  repoDeploymentPage,
} from '../answers/deployment';
import { deploymentFrequency, repoDeploymentStatistics } from '../answers/statistics';

/** The most deployments for which statistics list the times. */
export const DEPLOYMENT_MOMENTS_MAX = 10_000;
/** The number of days that the deployment frequency covers. */
export const FREQUENCY_DAYS = 28;

const tag = 'Deployments';
const [deployment] = examples.detailedDeployments.deployments;
const window = { start_ts: 1699987200, end_ts: 1702406400 };
const tagged = texts(
  'Only into environments with this tag, as `key` or `key:value`; repeat the parameter, all must match.',
);

export const deploymentRoutes = {
  listRepoDeployments: route('GET', '/api/v2/repos/{org}/{repo}/deployments', {
    ...reads(tag),
    summary: 'List deployments of a repository',
    description: 'Deployments of artifacts that were built from this repository, newest first.',
    paths: { repo: 'Internal id of the repository, or its name where that has no slash.' },
    query: { ...deploymentPage, env: names('Only into these environments, by name; repeat the parameter.') },
    answers: gives('One page.', repoDeploymentPage, examples.repoDeployments),
    errors: { 404: ['Repo not found'] },
    texts: { 'repo-unknown': 'Repo not found' },
  }),
  listDeployments: route('GET', '/api/v2/deployments/{org}', {
    ...reads(tag),
    summary: 'List deployments of an organization',
    description: 'Deployments to all environments of the organization with lead times, newest first.',
    query: {
      ...deploymentPage,
      repo_name: text('Only from repositories of exactly this name.', { min: 1 }),
      env_name: text('Only into the environment of exactly this name.', { min: 1 }),
      tag: tagged,
    },
    answers: gives('One page.', orgDeploymentPage, examples.orgDeployments),
  }),
  listDetailedDeployments: route('GET', '/api/v2/deployments/{org}/detailed', {
    ...reads(tag),
    summary: 'List deployments with their kinds',
    description:
      'Deployments to all environments of the organization, newest first, each with its kind, its lead time and what it replaced.',
    query: {
      ...deploymentPage,
      repo_name: text('Only from repositories of exactly this name.', { min: 1 }),
      repo_id: text('Only from the repository of this internal id.', { min: 1 }),
      env_name: names('Only into these environments, by name; repeat the parameter.'),
      tag: tagged,
      kind: list(oneOf(DEPLOYMENT_KINDS), 'Only of these kinds; repeat the parameter.'),
    },
    answers: gives('One page.', detailedDeploymentPage, examples.detailedDeployments),
  }),
  getDeployment: route('GET', '/api/v2/deployments/{org}/{env}/{fingerprint}', {
    ...reads(tag),
    summary: 'Get a deployment',
    description: 'The newest deployment of an artifact to an environment; to a logical one: to any of its members.',
    paths: { fingerprint: 'SHA-256 of the artifact.' },
    answers: gives('The deployment.', detailedDeployment, deployment),
    errors: {
      404: [
        ...NO_ENVIRONMENT,
        `Artifact with fingerprint '${deployment?.fingerprint}' was never deployed to environment 'production'`,
      ],
    },
  }),
  listEnvironmentDeployments: route('GET', '/api/v2/environments/{org}/{env}/deployments', {
    ...reads(tag),
    summary: 'List deployments to an environment',
    description: 'Deployments to one environment, newest first; to a logical one: to its members.',
    query: {
      from: writtenTime('Deployments at or after this time. Default: 30 days before `to`.'),
      to: writtenTime('Deployments at or before this time. Default: now.'),
      page: integer('Number of the page.', { min: 1, default: 1 }),
      page_size: integer('Deployments per page.', { min: 1, max: 100, default: 50 }),
      per_page: integer('The same as `page_size`, and goes before it.', { min: 1, max: 100 }),
      ...positions,
    },
    answers: gives('One page.', detailedDeploymentPage, examples.detailedDeployments),
    errors: { 404: NO_ENVIRONMENT },
  }),
  getDeploymentFrequency: route('GET', '/api/v2/environments/{org}/{env}/deployment_frequency', {
    ...reads(tag),
    summary: 'Get the frequency of deployments',
    description: `How often something was deployed to an environment in the last ${FREQUENCY_DAYS} days.`,
    query: { flow_id: text('Only artifacts that were first reported in the flow with this id.') },
    answers: gives('The frequency.', deploymentFrequency, {
      env_name: 'production',
      flow_id: null,
      ...window,
      deployments: 14,
      deployments_per_day: 0.5,
    }),
    errors: { 404: NO_ENVIRONMENT },
  }),
  getRepoDeploymentStatistics: route('GET', '/api/v2/repos/{org}/{repo}/deployment-statistics', {
    ...reads(tag),
    summary: 'Get the moments of deployments of a repository',
    description: `When artifacts of the repository were deployed, by environment: the newest ${DEPLOYMENT_MOMENTS_MAX}. \`total_count\` counts all. Neither what ran when reporting began, nor restarts.`,
    paths: { repo: 'Internal id of the repository, or its name where that has no slash.' },
    query: {
      ...windowed('Deployments'),
      env: names('Only into these environments, by name; repeat the parameter.'),
    },
    answers: gives('The moments.', repoDeploymentStatistics, {
      ...window,
      total_count: 1,
      environments: [{ env_name: 'production', deployed_at: [1700000889], lead_time_seconds: [889] }],
    }),
    errors: { 404: ['Repo not found'] },
    texts: { 'repo-unknown': 'Repo not found' },
  }),
} as const;
