import type { EnvironmentType } from '@assurance/contracts-events';
import {
  artifactCount,
  AzureAppsReport,
  CloudRunReport,
  DockerReport,
  EcsReport,
  K8sReport,
  LambdaReport,
  S3Report,
  ServerReport,
} from '../bodies';
import { type Class, route } from '../route';
import { text } from '../shape';
import { reportSamples } from './report-samples';
import { samples } from './samples';

interface ReportRule<Id extends string, Kind extends string, Body extends object> {
  readonly id: Id;
  readonly kind: Kind;
  readonly dto: Class<Body>;
  readonly example: unknown;
  /** What the kind keeps beside digests and times; ends the description. */
  readonly beside?: string;
}

/** A report of one kind of environment (specification 4.3): all kinds differ in their items alone. */
function report<const Id extends string, const Kind extends Exclude<EnvironmentType, 'logical'>, Body extends object>({
  id,
  kind,
  dto,
  example,
  beside,
}: ReportRule<Id, Kind, Body>) {
  return route({
    id,
    method: 'PUT',
    path: `/api/v2/environments/{org}/{env}/report/${kind}`,
    owner: 'ingestion',
    permission: 'report',
    tag: 'Environments',
    summary: `Report what ${/^[AEaeS]/.test(kind) ? 'an' : 'a'} ${kind} environment runs`,
    description:
      'The complete current state: artifacts that are missing in it have exited. A change creates a new snapshot.' +
      (beside === undefined ? '' : ` ${beside}`),
    body: { kind: 'json', dto, example, message: 'Invalid report data', strict: true, counted: artifactCount },
    answers: {
      200: {
        description: 'The report was processed.',
        shape: text('`Report processed, snapshot N created` or `Report processed, no new snapshot needed`.'),
        example: 'Report processed, snapshot 1 created',
      },
    },
    errors: {
      400: ['Invalid report data'],
      404: ['Environment not found', "Environment named 'production' has been archived"],
    },
    texts: { 'environment-unknown': 'Environment not found' },
  });
}

const keeps = (what: string, where: string) =>
  `${what} recorded with the snapshots that a report makes, and shown as \`${where}\`; a difference in these only creates no snapshot.`;

export const reportRoutes = {
  reportDocker: report({ id: 'reportDocker', kind: 'docker', dto: DockerReport, example: samples.report }),
  reportServer: report({ id: 'reportServer', kind: 'server', dto: ServerReport, example: reportSamples.server }),
  reportK8s: report({
    id: 'reportK8s',
    kind: 'K8S',
    dto: K8sReport,
    example: reportSamples.k8s,
    beside: keeps('Names, namespaces and owners of pods are', 'pods'),
  }),
  reportEcs: report({
    id: 'reportEcs',
    kind: 'ECS',
    dto: EcsReport,
    example: reportSamples.ecs,
    beside: keeps('Tasks, clusters and services are', 'ecs_context'),
  }),
  reportS3: report({ id: 'reportS3', kind: 'S3', dto: S3Report, example: reportSamples.s3 }),
  reportLambda: report({ id: 'reportLambda', kind: 'lambda', dto: LambdaReport, example: reportSamples.lambda }),
  reportAzureApps: report({
    id: 'reportAzureApps',
    kind: 'azure-apps',
    dto: AzureAppsReport,
    example: reportSamples.azureApps,
    beside: keeps('Names and kinds of apps and the source of their digests are', 'azure_context'),
  }),
  reportCloudRun: report({
    id: 'reportCloudRun',
    kind: 'cloud-run',
    dto: CloudRunReport,
    example: reportSamples.cloudRun,
    beside: keeps('Services with their revisions, and jobs, are', 'cloud_run_context'),
  }),
} as const;
