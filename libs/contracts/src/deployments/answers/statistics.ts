import { component, integer, list, nullable, number, object, type TypeOf, text } from '../../http/shape';

const window = {
  start_ts: number('The begin of the window, in epoch seconds.'),
  end_ts: number('The end of the window, in epoch seconds.'),
};

export const deploymentFrequency = component('DeploymentFrequency', {
  env_name: text(),
  flow_id: nullable(text('As asked for; null for all flows.')),
  ...window,
  deployments: integer('First deployments, rollbacks and redeployments.'),
  deployments_per_day: number('On average, in days of 24 hours.'),
});
export type DeploymentFrequency = TypeOf<typeof deploymentFrequency>;

export const repoDeploymentStatistics = component('RepositoryDeploymentStatistics', {
  ...window,
  total_count: integer('First deployments, rollbacks and redeployments in the window.'),
  environments: list(
    object({
      env_name: text(),
      deployed_at: list(number(), 'When each of them was deployed, in epoch seconds; newest first.'),
      lead_time_seconds: list(
        number(),
        'Seconds from the commit to the deployment, of first deployments whose commit has a known time; newest first.',
      ),
    }),
    'Physical environments to which the repository was deployed in the window, by name.',
  ),
});
export type RepoDeploymentStatistics = TypeOf<typeof repoDeploymentStatistics>;
