import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { Caller } from './support/caller';
import { artifact, digest, environment, flow, fresh, item, post, report, repository, sha1 } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  // The writer reads, because a view contains only a caller's own writes at once.
  const events = (env: string, query = '') =>
    world().as('member').get<EnvironmentEvent[]>(`/environments/acme/${env}/events${query}`);
  const describedEvents = async (env: string, query: string) =>
    (await events(env, query)).map(
      ({ snapshot_index, artifact_name, type }) => `${snapshot_index} ${artifact_name} ${type}`,
    );
  /** Each snapshot runs one artifact, without provenance: the one before has exited. */
  const withSnapshots = async (count: number) => {
    const env = await environment(caller());
    for (let i = 1; i <= count; i += 1) await report(caller(), env, [item({ [`a${i}`]: digest(`${env} ${i}`) })]);
    return env;
  };

  it('lists events with every field', async () => {
    const env = await environment(caller());
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const [old, young] = [digest(`${env} old`), digest(`${env} young`)];
    for (const fingerprint of [old, young]) await post(caller(), flowName, artifact(fingerprint, { repo_info }));
    await report(caller(), env, [item({ 'web:1': old })]);
    await report(caller(), env, [item({ 'web:2': young }), item({ 'web:2': young })]);
    const [changed, started, ...more] = await events(env);
    expect(more).toEqual([]);
    const snapshots = await caller().get<SnapshotListItem[]>(`/snapshots/acme/${env}`);
    const artifactPath = `artifacts/acme/${flowName}/fingerprint/${young}`;
    expect(changed).toEqual({
      environment_name: env,
      snapshot_index: 2,
      artifact_name: 'web:2',
      sha256: young,
      description: '2 instances changed',
      reported_at: snapshots[0]?.from,
      pipeline: flowName,
      type: 'changed',
      artifact_compliance: null,
      snapshot_compliance: null,
      flows: [{ flow_name: flowName, deployments: null }],
      deployments: [],
      code_diff: `${repo_info.url}/compare/${sha1(old)}...${sha1(young)}`,
      _links: {
        artifact: {
          self: expect.stringMatching(new RegExp(`^http://localhost:\\d+/api/v2/${artifactPath}$`)),
          html: expect.stringContaining(`/acme/flows/${flowName}/artifacts/${young}?artifact_id=`),
        },
        snapshot: {
          self: expect.stringMatching(new RegExp(`^http://localhost:\\d+/api/v2/snapshots/acme/${env}/2$`)),
          html: expect.stringMatching(new RegExp(`/acme/environments/${env}/snapshots/2$`)),
        },
      },
    });
    expect(started).toMatchObject({ type: 'started', code_diff: null, reported_at: snapshots[1]?.from });
    expect(started?.description).toBe('1 instance started running (from 0 to 1)');
  });

  it('uses empty texts, never null, for artifacts without provenance', async () => {
    const env = await withSnapshots(2);
    const [started, exited] = await events(env);
    expect(started).toMatchObject({ snapshot_index: 2, artifact_name: 'a2', pipeline: '', flows: [] });
    expect(started?._links).toEqual({ snapshot: expect.anything() });
    expect(exited).toMatchObject({ snapshot_index: 2, artifact_name: 'a1', type: 'exited' });
    expect(exited?.description).toBe('1 instance stopped running (from 1 to 0)');
  });

  it('lists scaling where the environment includes it', async () => {
    const env = await environment(caller(), { include_scaling: true });
    const reportItem = item({ web: digest(env) });
    for (const count of [1, 3, 2])
      await report(
        caller(),
        env,
        Array.from({ length: count }, () => reportItem),
      );
    expect((await events(env)).map(({ type, description }) => [type, description])).toEqual([
      ['scaled', '1 instance stopped running (from 3 to 2)'],
      ['scaled', '2 instances started running (from 1 to 3)'],
      ['started', '1 instance started running (from 0 to 1)'],
    ]);
  });

  it('lists pages, newest or oldest first, without repeating events', async () => {
    const env = await withSnapshots(4);
    const all = [
      '4 a4 started',
      '4 a3 exited',
      '3 a3 started',
      '3 a2 exited',
      '2 a2 started',
      '2 a1 exited',
      '1 a1 started',
    ];
    expect(await describedEvents(env, '?page=1&per_page=15&interval=&reverse=false')).toEqual(all);
    expect(await describedEvents(env, '?reverse=true')).toEqual([...all].reverse());
    const pages = async (query: string) => {
      const results = [];
      for (let page = 1; page <= 4; page += 1)
        results.push(...(await describedEvents(env, `?per_page=2&page=${page}${query}`)));
      return results;
    };
    expect(await pages('')).toEqual(all);
    expect(await pages('&reverse=true')).toEqual([...all].reverse());
    expect(await describedEvents(env, '?page=5&per_page=2')).toEqual([]);
    expect(await describedEvents(env, '?page=999999999999999&per_page=50')).toEqual([]);
    expect(await events(await environment(caller()))).toEqual([]);
  });

  it('lists events of an interval, by index or by time', async () => {
    const env = await withSnapshots(4);
    const indexes = async (query: string) => [
      ...new Set((await events(env, query)).map(({ snapshot_index }) => snapshot_index)),
    ];
    expect(await indexes('?interval=3..NOW')).toEqual([4, 3]);
    expect(await indexes('?interval=~2..NOW')).toEqual([4, 3, 2]);
    expect(await indexes('?interval=1..2')).toEqual([2, 1]);
    expect(await indexes('?interval=2')).toEqual([2]);
    expect(await indexes('?interval=NOW')).toEqual([4]);
    expect(await indexes('?interval=2.weeks.ago..NOW')).toEqual([4, 3, 2, 1]);
    expect(await indexes('?end=NOW&interval=&page=1&per_page=15&reverse=false&start=1hour')).toEqual([4, 3, 2, 1]);
    expect(await indexes('?start=2&end=3')).toEqual([3, 2]);
    expect(await indexes('?start=2&interval=1..3')).toEqual([3, 2]);
    expect(await indexes('?end=1hour')).toEqual([]);
    const at = (await events(env)).map(({ reported_at }) => reported_at);
    const [second = 0, third = 0] = [at[4], at[2]];
    expect(await indexes(`?start_ts=${second}`)).toEqual([4, 3, 2]);
    expect(await indexes(`?start_ts=${second + 0.001}`)).toEqual([4, 3]);
    expect(await indexes(`?start_ts=${second}&end_ts=${third}`)).toEqual([3, 2]);
    expect(await indexes(`?end_ts=${third - 0.001}`)).toEqual([2, 1]);
    expect(await indexes('?start_ts=1700000000.5&end_ts=')).toEqual([4, 3, 2, 1]);
    expect(await indexes('?start_ts=253402300799')).toEqual([]);
    expect(await indexes('?end_ts=0')).toEqual([]);
  });

  it('lists events of some repositories', async () => {
    const env = await environment(caller());
    const repos = [repository(), repository(), repository()];
    const all = [];
    for (const repo_info of repos) {
      const fingerprint = digest(fresh('fp'));
      await post(caller(), await flow(caller()), artifact(fingerprint, { repo_info }));
      all.push(item({ [repo_info.name]: fingerprint }));
      await report(caller(), env, all);
    }
    const [a = '', b = '', c = ''] = repos.map(({ name }) => name);
    const of = (...names: readonly string[]) =>
      describedEvents(env, `?${names.map((name) => `repo_name=${encodeURIComponent(name)}`).join('&')}`);
    expect(await of(a)).toEqual([`1 ${a} started`]);
    expect(await of(c, a)).toEqual([`3 ${c} started`, `1 ${a} started`]);
    expect(await of('other/repo', b)).toEqual([`2 ${b} started`]);
    expect(await of('other/repo')).toEqual([]);
    expect(await describedEvents(env, `?repo_name=${a}&reverse=true&interval=2..NOW`)).toEqual([]);
  });

  it.each([
    ['interval', '3..1'],
    ['interval', 'x'],
    ['start', 'soon'],
    ['end', '..'],
    ['repo_name', ''],
    ['start_ts', '1e3'],
    ['reverse', 'maybe'],
    ['from', '1'],
  ])('cannot take %s=%j', async (name, value) => {
    const env = await environment(caller());
    const path = `/environments/acme/${env}/events?${name}=${encodeURIComponent(value)}`;
    const { message, errors } = await caller().refused(400, 'GET', path);
    expect([message, Object.keys(errors ?? {})]).toEqual([
      expect.stringMatching(/^Input payload validation failed: /),
      [name],
    ]);
  });

  it('refuses a reversed range and an unknown environment', async () => {
    const env = await environment(caller());
    const bad = (query: string) => caller().refused(400, 'GET', `/environments/acme/${env}/events?${query}`);
    expect((await bad('start=3&end=2')).errors).toEqual({ start: 'It starts after its end' });
    expect((await bad('start_ts=3&end_ts=2')).errors).toHaveProperty('start_ts');
    expect(await caller().refused(404, 'GET', '/environments/acme/nowhere/events')).toEqual({
      message: "Environment named 'nowhere' does not exist for organization 'acme'",
    });
  });

  it('uses the current name, whichever name is requested', async () => {
    const [env, new_name] = [await withSnapshots(1), fresh('env')];
    await caller().expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name } });
    for (const called of [env, new_name]) {
      const [started] = await events(called);
      expect(started).toMatchObject({ environment_name: new_name, artifact_name: 'a1' });
      expect(started?._links.snapshot.self).toMatch(new RegExp(`/snapshots/acme/${new_name}/1$`));
    }
  });

  it('shows every report in the next read, to several callers at once', async () => {
    const reportAndRead = async (own: Caller) => {
      const env = await environment(own);
      for (let i = 1; i <= 25; i += 1) {
        const fingerprint = digest(`${env} ${i}`);
        await report(own, env, [item({ web: fingerprint })]);
        const [newest] = await own.get<EnvironmentEvent[]>(`/environments/acme/${env}/events?per_page=1`);
        expect(newest).toMatchObject({ snapshot_index: i, sha256: fingerprint });
      }
      expect(await describedEvents(env, '?per_page=50')).toHaveLength(25);
    };
    await Promise.all([world().as('admin'), world().as('member')].map(reportAndRead));
  }, 60_000);
});
