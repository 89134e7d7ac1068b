import { gives } from '../../http/answers/common';
import { timestamp } from '../../http/params';
import { route, writes } from '../../http/route';
import { samples } from '../../http/routes/samples';
import { type Component, text } from '../../http/shape';
import { artifactCount, DockerReport, LambdaReport, S3Report, ServerReport } from '../bodies/report';
import { AzureAppsReport, CloudRunReport, EcsReport, K8sReport } from '../bodies/report-contexts';
import type { EnvironmentType } from '../events';
import { reportSamples } from './report-samples';

interface ReportRule<Kind extends string, Body extends object> {
  readonly kind: Kind;
  readonly shape: Component<Body>;
  readonly example: unknown;
  /** The details that this kind stores besides digests and times. The text becomes the last sentence of the description. */
  readonly beside?: string;
}

/** A report of one kind of environment (specification 4.3). The kinds differ only in their items. */
function report<const Kind extends Exclude<EnvironmentType, 'logical'>, Body extends object>({
  kind,
  shape,
  example,
  beside,
}: ReportRule<Kind, Body>) {
  return route('PUT', `/api/v2/environments/{org}/{env}/report/${kind}`, {
    ...writes('Environments', 'report'),
    summary: `Report what ${/^[AEaeS]/.test(kind) ? 'an' : 'a'} ${kind} environment runs`,
    description:
      'The complete current state: artifacts that are missing in it have exited. A change creates a new snapshot.' +
      (beside === undefined ? '' : ` ${beside}`),
    query: {
      observed_at: timestamp(
        'When the reporter looked, in epoch seconds. Default: now. It may lie up to 60 seconds before the newest report of the environment, and then counts as its ' +
          'time, and up to 60 seconds ahead. A report of more than an hour ago needs the role admin and sends no messages.',
      ),
    },
    body: { kind: 'json', shape, example, message: 'Invalid report data', counted: artifactCount },
    direct: true,
    answers: gives(
      'The report was processed.',
      text('`Report processed, snapshot N created` or `Report processed, no new snapshot needed`.'),
      'Report processed, snapshot 1 created',
    ),
    errors: {
      400: ['Invalid report data', 'Input payload validation failed'],
      404: ['Environment not found', "Environment named 'production' has been archived"],
    },
    texts: { 'environment-unknown': 'Environment not found' },
  });
}

const keeps = (what: string, where: string) =>
  `${what} recorded with the snapshots that a report makes, and shown as \`${where}\`; a difference in these only creates no snapshot.`;

export const reportRoutes = {
  reportDocker: report({ kind: 'docker', shape: DockerReport, example: samples.report }),
  reportServer: report({ kind: 'server', shape: ServerReport, example: reportSamples.server }),
  reportK8s: report({
    kind: 'K8S',
    shape: K8sReport,
    example: reportSamples.k8s,
    beside: keeps('Names, namespaces and owners of pods are', 'pods'),
  }),
  reportEcs: report({
    kind: 'ECS',
    shape: EcsReport,
    example: reportSamples.ecs,
    beside: keeps('Tasks, clusters and services are', 'ecs_context'),
  }),
  reportS3: report({ kind: 'S3', shape: S3Report, example: reportSamples.s3 }),
  reportLambda: report({ kind: 'lambda', shape: LambdaReport, example: reportSamples.lambda }),
  reportAzureApps: report({
    kind: 'azure-apps',
    shape: AzureAppsReport,
    example: reportSamples.azureApps,
    beside: keeps('Names and kinds of apps and the source of their digests are', 'azure_context'),
  }),
  reportCloudRun: report({
    kind: 'cloud-run',
    shape: CloudRunReport,
    example: reportSamples.cloudRun,
    beside: keeps('Services with their revisions, and jobs, are', 'cloud_run_context'),
  }),
} as const;
