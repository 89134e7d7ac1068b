import { gives } from '../../http/answers/common';
import { timestamp } from '../../http/params';
import { route, writes } from '../../http/route';
import { samples } from '../../http/routes/samples';
import { text } from '../../http/shape';
import {
  artifactCount,
  azureAppsReport,
  cloudRunReport,
  dockerReport,
  ecsReport,
  k8sReport,
  lambdaReport,
  type ReportedType,
  type ReportOf,
  s3Report,
  serverReport,
} from '../bodies/report';

const FINGERPRINT = 'c0ffee00'.repeat(8);
const CREATED = 1700000889;
const digests = { 'shop/web:1.4': FINGERPRINT };

/** A report of one type of environment (specification 4.3). The types differ only in their items. */
function report<Type extends ReportedType>({ type, shape, beside }: ReportOf<Type>, example: unknown) {
  const definition = route('PUT', `/api/v2/environments/{org}/{env}/report/${type}`, {
    ...writes('Environments', 'report'),
    summary: `Report what ${/^[AEaeS]/.test(type) ? 'an' : 'a'} ${type} environment runs`,
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
  return { ...definition, environmentType: type };
}

/** The examples are checked by their shapes and schemas. */
export const reportRoutes = {
  reportDocker: report(dockerReport, samples.report),
  reportServer: report(serverReport, {
    artifacts: [{ digests: { '/srv/shop/web.jar': FINGERPRINT }, creationTimestamp: CREATED }],
  }),
  reportK8s: report(k8sReport, {
    artifacts: [
      {
        podName: 'web-5d9c7b4f6-x2x7k',
        namespace: 'shop',
        digests,
        creationTimestamp: CREATED,
        owners: [
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: 'web-5d9c7b4f6',
            uid: 'd9607e19-f88f-11e6-a518-42010a800195',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
    ],
  }),
  reportEcs: report(ecsReport, {
    artifacts: [
      {
        taskArn: 'arn:aws:ecs:eu-central-1:111122223333:task/shop/0123456789abcdef',
        cluster_name: 'shop',
        service_name: 'web',
        digests,
        creationTimestamp: CREATED,
      },
    ],
  }),
  reportS3: report(s3Report, { artifacts: [{ digests: { 'shop-assets': FINGERPRINT }, creationTimestamp: CREATED }] }),
  reportLambda: report(lambdaReport, {
    artifacts: [{ digests: { 'shop-mailer': FINGERPRINT }, creationTimestamp: CREATED }],
  }),
  reportAzureApps: report(azureAppsReport, {
    artifacts: [
      {
        app_name: 'shop-web',
        app_kind: 'app,linux,container',
        digests_source: 'acr',
        digests,
        creationTimestamp: CREATED,
      },
    ],
  }),
  reportCloudRun: report(cloudRunReport, {
    type: 'cloud-run',
    artifacts: [
      {
        digests,
        creationTimestamp: CREATED,
        kind: 'service',
        serviceName: 'web',
        revisionName: 'web-00042-abc',
      },
      {
        digests: { 'shop/invoices:2.0': 'beef'.repeat(16) },
        creationTimestamp: CREATED,
        kind: 'job',
        jobName: 'nightly-invoices',
      },
    ],
  }),
} as const;
