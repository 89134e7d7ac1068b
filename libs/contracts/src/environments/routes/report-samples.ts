/** Example reports for the OpenAPI document. A spec checks them by their shapes and schemas. */
const FINGERPRINT = 'c0ffee00'.repeat(8);
const CREATED = 1700000889;
const digests = { 'shop/web:1.4': FINGERPRINT };

export const reportSamples = {
  server: { artifacts: [{ digests: { '/srv/shop/web.jar': FINGERPRINT }, creationTimestamp: CREATED }] },
  k8s: {
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
  },
  ecs: {
    artifacts: [
      {
        taskArn: 'arn:aws:ecs:eu-central-1:111122223333:task/shop/0123456789abcdef',
        cluster_name: 'shop',
        service_name: 'web',
        digests,
        creationTimestamp: CREATED,
      },
    ],
  },
  s3: { artifacts: [{ digests: { 'shop-assets': FINGERPRINT }, creationTimestamp: CREATED }] },
  lambda: { artifacts: [{ digests: { 'shop-mailer': FINGERPRINT }, creationTimestamp: CREATED }] },
  azureApps: {
    artifacts: [
      {
        app_name: 'shop-web',
        app_kind: 'app,linux,container',
        digests_source: 'acr',
        digests,
        creationTimestamp: CREATED,
      },
    ],
  },
  cloudRun: {
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
  },
} as const;
