import { validateBody } from '../../http/bodies/validate';
import type { Component } from '../../http/shape';
import { azureAppsReport, cloudRunReport, dockerReport, ecsReport, k8sReport, serverReport } from './report';

const digests = { web: 'a'.repeat(64) };
const sent = { digests, creationTimestamp: 1_700_000_000 };
const stored = { digests: Object.entries(digests), creationTimestamp: 1_700_000_000 };
const itemsOf = (shape: Component<unknown>, ...details: readonly object[]) =>
  validateBody(shape, { artifacts: details.map((detail) => ({ ...sent, ...detail })) });
const stores = (...contexts: readonly object[]) => ({
  value: { artifacts: contexts.map((context) => ({ ...stored, context })) },
});

describe('an item of a report', () => {
  it('has the details that events store', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u' };
    const [more, ends] = [{ controller: true, blockOwnerDeletion: false }, { resourceVersion: '7' }];
    const pod = { podName: 'web-0', namespace: 'shop', owners: [{ ...owner, ...more, ...ends }] };
    expect(itemsOf(k8sReport.shape, pod)).toEqual(
      stores({ of: 'pod', pod: 'web-0', namespace: 'shop', owners: [{ ...owner, ...more }] }),
    );
    const task = { taskArn: 'arn:1', cluster_name: 'shop', service_name: 'web' };
    expect(itemsOf(ecsReport.shape, task)).toEqual(
      stores({ of: 'task', arn: 'arn:1', cluster: 'shop', service: 'web' }),
    );
    const app = { app_name: 'web', app_kind: '', digests_source: 'acr' };
    expect(itemsOf(azureAppsReport.shape, app)).toEqual(
      stores({ of: 'azure-app', app: 'web', kind: '', digestsSource: 'acr' }),
    );
    const service = { kind: 'service', serviceName: 'web', revisionName: 'web-1' };
    expect(itemsOf(cloudRunReport.shape, service, { kind: 'job', jobName: 'nightly' })).toEqual(
      stores(
        { of: 'cloud-run', kind: 'service', service: 'web', revision: 'web-1', job: null },
        { of: 'cloud-run', kind: 'job', service: null, revision: null, job: 'nightly' },
      ),
    );
  });

  it('stores null for optional names that are empty, null or left out', () => {
    const nobody = { apiVersion: '', kind: '', name: '', uid: '', controller: null };
    expect(
      itemsOf(
        k8sReport.shape,
        { podName: 'web-0', namespace: '', owners: null },
        { podName: 'web-1', namespace: '', owners: [nobody] },
      ),
    ).toEqual(
      stores(
        { of: 'pod', pod: 'web-0', namespace: '', owners: null },
        { of: 'pod', pod: 'web-1', namespace: '', owners: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
      ),
    );
    expect(itemsOf(ecsReport.shape, { taskArn: 'arn:1', cluster_name: '', service_name: null })).toEqual(
      stores({ of: 'task', arn: 'arn:1', cluster: null, service: null }),
    );
    expect(itemsOf(cloudRunReport.shape, { kind: 'job', serviceName: '', jobName: null })).toEqual(
      stores({ of: 'cloud-run', kind: 'job', service: null, revision: null, job: null }),
    );
  });

  it('has none in kinds that report only digests and times', () => {
    for (const { shape } of [dockerReport, serverReport]) {
      expect(itemsOf(shape, {})).toEqual({ value: { artifacts: [stored] } });
    }
  });
});
