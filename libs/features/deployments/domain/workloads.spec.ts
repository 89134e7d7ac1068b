import type { InstanceContext, PodOwner } from '@assurance/contracts/environments/events';
import { isJob, isKnownWorkload, namespaceOf, workloadsOf } from './workloads';

const owner = (kind: string, name: string): PodOwner => ({ apiVersion: 'v1', kind, name, uid: 'u' });
const pod = (namespace: string, ...owners: PodOwner[]): InstanceContext => ({ of: 'pod', pod: 'p', namespace, owners });

describe('the workload of an instance', () => {
  it.each<[string, InstanceContext, string]>([
    ['a ReplicaSet without its hash', pod('shop', owner('ReplicaSet', 'web-7d4b9c6f5d')), 'pod/shop/ReplicaSet/web'],
    ['a Job without its run', pod('shop', owner('Job', 'backup-28391040')), 'pod/shop/Job/backup'],
    ['a StatefulSet', pod('shop', owner('StatefulSet', 'db-2024')), 'pod/shop/StatefulSet/db-2024'],
    ['a Job that no CronJob made', pod('shop', owner('Job', 'migrate-v2')), 'pod/shop/Job/migrate-v2'],
    [
      'the owner that controls',
      pod('shop', owner('Node', 'n'), { ...owner('ReplicaSet', 'web-bcdfg'), controller: true }),
      'pod/shop/ReplicaSet/web',
    ],
    ['a pod alone', pod('shop'), 'pod/shop//'],
    ['an ECS service', { of: 'task', arn: 'a', cluster: 'c', service: 'web' }, 'task/c/web'],
    [
      'a Cloud Run service',
      { of: 'cloud-run', kind: 'service', service: 'web', revision: 'r', job: null },
      'service/web',
    ],
    ['a Cloud Run job', { of: 'cloud-run', kind: 'job', service: null, revision: null, job: 'sum' }, 'job/sum'],
    ['an app', { of: 'azure-app', app: 'web', kind: 'functionapp', digestsSource: 'acr' }, 'app/web'],
  ])('of %s', (_what, context, expected) => expect(workloadsOf('K8S', 'web:1', [context])).toEqual([expected]));

  it('of a function is its name without version', () => {
    const name = 'arn:aws:lambda:eu-west-1:1:function:web:7';
    expect(workloadsOf('lambda', name)).toEqual(['function/arn:aws:lambda:eu-west-1:1:function:web']);
  });

  it('of a task without a service, or of a kind of report that names none, is unknown', () => {
    expect(workloadsOf('ECS', 'web', [{ of: 'task', arn: 'a', cluster: 'c', service: null }])).toEqual([]);
    expect(workloadsOf('docker', 'web')).toEqual([]);
  });

  it('has a namespace where it is of a pod', () => {
    expect(['pod/shop//', 'pod/shop/Job/a', 'task/c/web'].map(namespaceOf)).toEqual(['shop', 'shop', null]);
    expect(['pod/shop//', 'pod/shop/Job/a'].map(isKnownWorkload)).toEqual([false, true]);
  });

  it('may be a job', () => {
    expect(['pod/shop/Job/a', 'job/a', 'pod/Job/ReplicaSet/a', 'service/a'].map(isJob)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
