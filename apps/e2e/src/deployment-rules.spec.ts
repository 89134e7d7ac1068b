import type { EventFeedAnswer } from '@assurance/contracts/audit/answers/events';
import type { DetailedDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import { eventually } from './support/eventually';
import { digest, environment, item, report } from './support/samples';
import { onEveryDeployment } from './support/world';

const HOUR = 3_600;

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const begin = Math.floor(Date.now() / 1_000) - 40 * HOUR;

  /** Of a run of a CronJob, or of a Deployment of a tenant; else unknown. */
  function ownersOf(job: string | null, namespace: string) {
    const owner = { apiVersion: 'apps/v1', uid: 'u' };
    if (job !== null) return [{ ...owner, kind: 'Job', name: `${job}-28391040` }];
    return namespace === 'shop' ? null : [{ ...owner, kind: 'ReplicaSet', name: 'web-7d4b9c6f5d' }];
  }

  /** Reports pods an hour apart: each runs one version, perhaps of a CronJob, or in a namespace. */
  async function reportPods(
    env: string,
    reports: readonly (readonly (readonly [version: string, job?: string | null, namespace?: string])[])[],
  ) {
    for (const [i, pods] of reports.entries()) {
      const artifacts = pods.map(([version, job = null, namespace = 'shop']) => ({
        digests: { [`shop/web:${version}`]: digest(`${env} ${version}`) },
        creationTimestamp: 0,
        podName: `web-${version}`,
        namespace,
        owners: ownersOf(job, namespace),
      }));
      const query = `?observed_at=${begin + i * HOUR}`;
      await admin().expect(200, 'PUT', `/environments/acme/${env}/report/K8S${query}`, { json: { artifacts } });
    }
  }

  async function kindsIn(env: string) {
    const query = `env_name=${env}&start_ts=0&per_page=50`;
    const { deployments } = await admin().get<DetailedDeploymentPage>(`/deployments/acme/detailed?${query}`);
    return deployments
      .map(({ snapshot_index, kind, kind_final, replaced_artifact }) =>
        [snapshot_index, kind, kind_final, replaced_artifact?.artifact_name ?? null].join(' '),
      )
      .sort((a, b) => parseInt(a, 10) - parseInt(b, 10) || (a < b ? -1 : 1));
  }

  async function figuresIn(env: string) {
    const { totals } = await admin().get<DeploymentMetrics>(
      `/deployments/acme/metrics?env_name=${env}&start_ts=${begin - HOUR}`,
    );
    const { deployments, rollbacks, changes, change_failure_rate: rate, source } = totals;
    return { deployments, rollbacks, changes, rate, source };
  }

  it('finds no rollback where versions run side by side and pods are rescheduled', async () => {
    const env = await environment(admin(), { type: 'K8S' });
    await reportPods(env, [[['6'], ['7']], [['7']], [['6'], ['7']], [['6']], [['6'], ['7']]]);
    expect(await kindsIn(env)).toEqual([
      '1 baseline true ',
      '1 baseline true ',
      '3 restart false ',
      '5 restart false ',
    ]);
    expect(await figuresIn(env)).toEqual({ deployments: 0, rollbacks: 0, changes: 0, rate: null, source: 'rollbacks' });
  });

  it('finds no rollback between runs of different CronJobs', async () => {
    const env = await environment(admin(), { type: 'K8S' });
    const runs = [[['a', 'sum']], [], [['b', 'mail']], []] as const;
    await reportPods(env, [[], ...runs, ...runs, ...runs, ...runs]);
    const kinds = (await kindsIn(env)).map((text) => text.split(' ')[1]);
    expect(kinds).toEqual(['first', 'first', ...Array.from({ length: 6 }, () => 'restart')]);
    expect(await figuresIn(env)).toMatchObject({ deployments: 2, rollbacks: 0 });
  });

  it('finds the rollback of one of three tenants that were rolled out one after the other', async () => {
    const env = await environment(admin(), { type: 'K8S' });
    const tenants = (...versions: readonly string[]) =>
      versions.map((version, i) => [version, null, `tenant-${i}`] as const);
    await reportPods(env, [
      tenants('1', '1', '1'),
      tenants('2', '1', '1'),
      tenants('2', '2', '1'),
      tenants('2', '2', '2'),
      tenants('1', '2', '2'),
    ]);
    expect(await kindsIn(env)).toEqual(['1 baseline true ', '2 first true shop/web:1', '4 rollback false ']);
  });

  it('revises the kind of a rolling rollback that a reporter saw midway, and its rate is one of one', async () => {
    const env = await environment(admin(), { type: 'K8S' });
    const seenMidway = [[['1']], [['1'], ['2']], [['2']], [['1'], ['2']]] as const;
    await reportPods(env, seenMidway);
    expect((await kindsIn(env)).at(-1)).toBe('4 restart false ');
    const last = [
      {
        digests: { 'shop/web:1': digest(`${env} 1`) },
        creationTimestamp: 0,
        podName: 'web-1',
        namespace: 'shop',
        owners: null,
      },
    ];
    await admin().expect(200, 'PUT', `/environments/acme/${env}/report/K8S?observed_at=${begin + 4 * HOUR}`, {
      json: { artifacts: last },
    });
    expect(await kindsIn(env)).toEqual(['1 baseline true ', '2 first true shop/web:1', '4 rollback false shop/web:2']);
    expect(await figuresIn(env)).toEqual({ deployments: 2, rollbacks: 1, changes: 1, rate: 1, source: 'rollbacks' });
    // A day in which nothing of the line comes or leaves.
    await admin().expect(200, 'PUT', `/environments/acme/${env}/report/K8S?observed_at=${begin + 30 * HOUR}`, {
      json: { artifacts: last },
    });
    expect((await kindsIn(env)).at(-1)).toBe('4 rollback true shop/web:2');
  });

  it('tells other programs when a kind is revised, with the old and the new one', async () => {
    const env = await environment(admin());
    const { cursor } = await admin().get<EventFeedAnswer>('/events/acme?limit=1');
    for (const versions of [[1], [1, 2], [2], [1, 2], [1]])
      await report(
        admin(),
        env,
        versions.map((version) => item({ [`web:${version}`]: digest(`${env} ${version}`) }, 0)),
      );
    const events = await eventually(
      async () => {
        const query = `type=assurance.deployment.revised.v1&limit=100&cursor=${cursor}`;
        const { events: all } = await admin().get<EventFeedAnswer>(`/events/acme?${query}`);
        return all.filter(({ data }) => (data as { environment: { name: string } }).environment.name === env);
      },
      (all) => all.length > 0,
    );
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        snapshot_index: 4,
        revised_by: 5,
        artifact: { name: 'web:1' },
        was: { kind: 'restart', replaced_artifact: null },
        is: { kind: 'rollback', replaced_artifact: { name: 'web:2' } },
        kind_final: false,
      },
    ]);
  });
});
