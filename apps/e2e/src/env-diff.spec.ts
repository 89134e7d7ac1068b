import type { EnvironmentDiffAnswer } from '@assurance/contracts/environments/answers/environment-diff';
import { artifact, digest, environment, flow, item, post, report, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const path = (left: string, right: string) =>
    `/env-diff/acme?snappish1=${encodeURIComponent(left)}&snappish2=${encodeURIComponent(right)}`;
  const diff = (left: string, right: string) => world().as('reader').get<EnvironmentDiffAnswer>(path(left, right));

  it('compares two environments', async () => {
    const [firstEnv, secondEnv, flowName] = [
      await environment(caller()),
      await environment(caller()),
      await flow(caller()),
    ];
    const of = (text: string) => digest(`${firstEnv} ${text}`);
    const [removed, same, more, come] = [of('gone'), of('same'), of('more'), of('come')];
    const existing = artifact(more);
    await post(caller(), flowName, existing);
    await report(caller(), firstEnv, [item({ gone: removed }), item({ same }), item({ more })]);
    const running = [item({ same }, YESTERDAY + 5), item({ more }), item({ more }, YESTERDAY + 7), item({ come }, 0)];
    await report(caller(), secondEnv, running);
    const plain = { flow: '', git_commit: '', commit_url: '' };
    const answer = await diff(firstEnv, `${secondEnv}#1`);
    expect(answer).toEqual({
      snappish1: {
        snapshot_id: `${firstEnv}#1`,
        artifacts: [
          { ...plain, fingerprint: removed, name: 'gone', most_recent_timestamp: YESTERDAY, instance_count: 1 },
        ],
      },
      snappish2: {
        snapshot_id: `${secondEnv}#1`,
        artifacts: [
          { ...plain, fingerprint: come, name: 'come', most_recent_timestamp: expect.any(Number), instance_count: 1 },
        ],
      },
      changed: {
        artifacts: [
          {
            fingerprint: more,
            name: 'more',
            flow: flowName,
            git_commit: existing.git_commit,
            commit_url: existing.commit_url,
            most_recent_timestamp: YESTERDAY + 7,
            s1_instance_count: 1,
            s2_instance_count: 2,
          },
        ],
      },
      'not-changed': {
        artifacts: [
          { ...plain, fingerprint: same, name: 'same', most_recent_timestamp: YESTERDAY + 5, instance_count: 1 },
        ],
      },
    });
    expect(Number.isInteger(answer.snappish2.artifacts[0]?.most_recent_timestamp)).toBe(true);
  });

  it('answers with one page of each list where one is asked for', async () => {
    const env = await environment(caller());
    const running = (from: number) => [0, 1, 2, 3].map((i) => item({ [`a${from + i}`]: digest(`${env} ${from + i}`) }));
    await report(caller(), env, running(0));
    await report(caller(), env, running(1));
    const query = `${path(`${env}#1`, env)}&page=2&per_page=2`;
    const answer = await world().as('reader').get<EnvironmentDiffAnswer>(query);
    expect(answer['not-changed']).toEqual({
      artifacts: [expect.objectContaining({ name: 'a3' })],
      artifact_page: { page: 2, per_page: 2, total_pages: 2, total_count: 3 },
    });
    expect(answer.snappish1).toMatchObject({ artifacts: [], artifact_page: { total_count: 1 } });
  });

  it('compares snapshots of one environment by every expression', async () => {
    const env = await environment(caller());
    for (const name of ['a', 'b', 'c']) await report(caller(), env, [item({ [name]: digest(`${env} ${name}`) })]);
    const sides = async (left: string, right: string) => {
      const { snappish1, snappish2 } = await diff(left, right);
      const lists = [snappish1, snappish2].map(({ snapshot_id, artifacts }) => [
        snapshot_id.replace(env, ''),
        ...artifacts.map(({ name }) => name),
      ]);
      return lists.map((texts) => texts.join(' '));
    };
    expect(await sides(`${env}#1`, env)).toEqual(['#1 a', '#3 c']);
    expect(await sides(`${env}~1`, `${env}@{now}`)).toEqual(['#2 b', '#3 c']);
    expect(await sides(`${env}#-1`, `${env}@{2999-01-01T00:00:00}`)).toEqual(['#3', '#3']);
  });

  it('names the pods of what runs in Kubernetes', async () => {
    const env = await environment(caller(), { type: 'K8S' });
    const pod = (podName: string, digests: Readonly<Record<string, string>>) => ({
      podName,
      namespace: 'shop',
      digests,
      creationTimestamp: YESTERDAY,
      owners: [],
    });
    const digests = { web: digest(`${env} web`) };
    const put = (artifacts: readonly object[]) =>
      caller().expect(200, 'PUT', `/environments/acme/${env}/report/K8S`, { json: { artifacts } });
    await put([pod('api-1', { api: digest(`${env} api`) })]);
    await put([pod('web-2', digests), pod('web-1', digests)]);
    const { snappish2 } = await diff(`${env}#1`, env);
    expect(snappish2.artifacts).toMatchObject([{ name: 'web', instance_count: 2, pods: ['web-1', 'web-2'] }]);
  });

  it('names what does not exist as the request named it', async () => {
    const [env, empty] = [await environment(caller()), await environment(caller())];
    await report(caller(), env, [item({ a: digest(env) })]);
    const refused = (left: string, right: string) => caller().refused(404, 'GET', path(left, right));
    const text = (query: string, resolved: string, count: number) => ({
      message: `Org: 'acme'. Snapshot '${query}' resolves to '${resolved}'. len(snapshots) == ${count}. Indexes are 1-based`,
    });
    expect(await refused(env, empty)).toEqual(text(empty, `${empty}#0`, 0));
    expect(await refused(empty, env)).toEqual(text(empty, `${empty}#0`, 0));
    expect(await refused(`${env}#23`, env)).toEqual(text(`${env}#23`, `${env}#23`, 1));
    expect(await refused(env, `${env}~4`)).toEqual(text(`${env}~4`, `${env}#-3`, 1));
    expect(await refused(env, 'nowhere#1')).toEqual({
      message: "Environment named 'nowhere' does not exist for organization 'acme'",
    });
  });

  it.each([
    ['?snappish1=env', 'snappish2'],
    ['?snappish2=env', 'snappish1'],
    ['?snappish1=&snappish2=env', 'snappish1'],
    ['?snappish1=env&snappish2=env%23x', 'snappish2'],
    ['?snappish1=env&snappish2=env&page=0', 'page'],
    ['?snappish1=env&snappish2=env&per_page=101', 'per_page'],
    ['?snappish1=%231&snappish2=env', 'snappish1'],
    ['?snappish1=env&snappish1=env&snappish2=env', 'snappish1'],
  ])('cannot take %s', async (query, field) => {
    const { errors } = await caller().refused(400, 'GET', `/env-diff/acme${query}`);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});
