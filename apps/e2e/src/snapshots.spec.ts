import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import { digest, environment, fresh, item, report, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const reader = () => world().as('reader');
  const get = (env: string, expr: string) => reader().get<SnapshotAnswer>(`/snapshots/acme/${env}/${expr}`);
  const list = (env: string, query = '') => reader().get<SnapshotListItem[]>(`/snapshots/acme/${env}${query}`);
  const withSnapshots = async (count: number) => {
    const env = await environment(caller());
    for (let i = 1; i <= count; i += 1) await report(caller(), env, [item({ [`a${i}`]: digest(`${env} ${i}`) })]);
    return env;
  };

  it('answers with the whole snapshot', async () => {
    const env = await withSnapshots(1);
    const before = Date.now() / 1000;
    const snapshot = await get(env, '-1');
    expect(snapshot).toEqual({
      index: 1,
      is_latest: true,
      is_judged: false,
      timestamp: expect.any(Number),
      next_snapshot_timestamp: null,
      type: 'docker',
      compliant: false,
      artifact_compliance_count: { true: 0, false: 0, null: 1 },
      html_url: expect.stringMatching(new RegExp(`^http://localhost:\\d+/acme/environments/${env}/snapshots/1$`)),
      artifacts: [
        {
          name: 'a1',
          fingerprint: digest(`${env} 1`),
          compliant: null,
          reasons_for_incompliance: [],
          policy_decisions: [],
          allow_listing: null,
          creationTimestamp: [YESTERDAY],
          pods: null,
          ecs_context: null,
          azure_context: null,
          cloud_run_context: null,
          annotation: { type: 'started', was: 0, now: 1 },
          flow_name: null,
          git_commit: '',
          commit_url: null,
          html_url: null,
          flow_html_url: null,
          deployments: [],
          commit_lead_time: null,
          deployment_diff: null,
          flows: [],
        },
      ],
      applied_policies: [],
    });
    expect(Math.abs(snapshot.timestamp - before)).toBeLessThan(20);
  });

  it('finds a snapshot by every expression, escaped or not', async () => {
    const env = await withSnapshots(3);
    for (const expr of ['-1', '%2D1', '@{now}', '%40%7Bnow%7D', '@%7Bnow%7D', '3', '%233']) {
      expect(await get(env, expr)).toMatchObject({ index: 3, is_latest: true, next_snapshot_timestamp: null });
    }
    for (const expr of ['1', '%231']) expect(await get(env, expr)).toMatchObject({ index: 1, is_latest: false });
    const raw = await reader().sendRaw('GET', `/api/v2/snapshots/acme/${env}/@{now}`);
    expect(raw).toMatchObject({ status: 200, body: { index: 3 } });
    const [first, second] = [await get(env, '1'), await get(env, '2')];
    expect(first.next_snapshot_timestamp).toBe(second.timestamp);
  });

  it('shows how an expression resolves if there is no such snapshot', async () => {
    const env = await withSnapshots(3);
    const empty = await environment(caller());
    const text = (query: string, resolved: string, count: number) => ({
      message: `Org: 'acme'. Snapshot '${query}' resolves to '${resolved}'. len(snapshots) == ${count}. Indexes are 1-based`,
    });
    const refused = (name: string, expr: string) => reader().refused(404, 'GET', `/snapshots/acme/${name}/${expr}`);
    expect(await refused(env, '%2323')).toEqual(text(`${env}#23`, `${env}#23`, 3));
    expect(await refused(env, '23')).toEqual(text(`${env}#23`, `${env}#23`, 3));
    expect(await refused(env, '0')).toEqual(text(`${env}#0`, `${env}#0`, 3));
    expect(await refused(empty, '-1')).toEqual(text(`${empty}#-1`, `${empty}#0`, 0));
    expect(await refused(empty, '%40%7Bnow%7D')).toEqual(text(`${empty}@{now}`, `${empty}#0`, 0));
    expect(await refused(empty, '%231')).toEqual(text(`${empty}#1`, `${empty}#1`, 0));
  });

  it('answers an endless number without a fault', async () => {
    const env = await withSnapshots(1);
    const { status } = await reader().send('GET', `/snapshots/acme/${env}/${'9'.repeat(400)}`);
    expect([400, 404]).toContain(status);
  });

  it('lists snapshots newest first with their intervals', async () => {
    const env = await withSnapshots(3);
    const [third, second, first, ...more] = await list(env);
    expect(more).toEqual([]);
    expect(third).toEqual({
      index: 3,
      from: second?.to,
      to: 0,
      duration: expect.any(Number),
      compliant: false,
      is_judged: false,
    });
    expect(second).toMatchObject({ index: 2, from: first?.to, compliant: false });
    expect(first).toMatchObject({ index: 1, to: second?.from });
    expect(first?.duration).toBeCloseTo((first?.to ?? 0) - (first?.from ?? 0), 3);
    expect((await get(env, '2')).timestamp).toBe(second?.from);
    const reversed = await list(env, '?interval=&page=1&per_page=15&reverse=true');
    expect(reversed.map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  it('lists snapshots in pages', async () => {
    const env = await withSnapshots(5);
    const indexes = async (query: string) => (await list(env, query)).map(({ index }) => index);
    expect(await indexes('?page=1&per_page=2&reverse=false&interval=')).toEqual([5, 4]);
    expect(await indexes('?page=3&per_page=2')).toEqual([1]);
    expect(await indexes('?page=4&per_page=2')).toEqual([]);
    expect(await indexes('?page=99')).toEqual([]);
    expect(await indexes('?page=2&per_page=2&reverse=true')).toEqual([3, 4]);
    expect(await list(await environment(caller()))).toEqual([]);
  });

  it('names the environment that does not exist', async () => {
    const expected = { message: "Environment named 'nowhere' does not exist for organization 'acme'" };
    expect(await reader().refused(404, 'GET', '/snapshots/acme/nowhere')).toEqual(expected);
    expect(await reader().refused(404, 'GET', '/snapshots/acme/nowhere/-1')).toEqual(expected);
    const odd = { message: "Environment named 'a b' does not exist for organization 'acme'" };
    expect(await reader().refused(404, 'GET', '/snapshots/acme/a%20b/1')).toEqual(odd);
  });

  it('never changes its answer', async () => {
    const env = await withSnapshots(2);
    const before = await get(env, '1');
    const json = { name: env, type: 'docker', description: 'other', include_scaling: true };
    await caller().expect(200, 'PUT', '/environments/acme', { json });
    for (let i = 0; i < 30; i += 1) await report(caller(), env, [item({ [`b${i}`]: digest(fresh('b')) })]);
    expect(await get(env, '1')).toEqual(before);
    const all = await list(env, '?per_page=50');
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 32 }, (_, i) => 32 - i));
    for (const { index, from } of all) {
      const { timestamp, artifacts } = await get(env, String(index));
      expect(timestamp).toBe(from);
      expect(artifacts.filter(({ annotation }) => annotation.now > 0)).toHaveLength(1);
      expect(artifacts).toHaveLength(index === 1 ? 1 : 2);
    }
  });

  it('returns one page of its artifacts, or those that match', async () => {
    const env = await environment(caller());
    const name = (i: number) => `a${String(i).padStart(2, '0')}`;
    const items = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => item({ [name(from + i)]: digest(`${env} ${from + i}`) }));
    await report(caller(), env, items(0, 10));
    await report(caller(), env, items(2, 12));
    const names = async (query: string) => {
      const { artifacts, artifact_page } = await get(env, `-1?${query}`);
      return [artifacts.map((artifact) => artifact.name), artifact_page?.total_count, artifact_page?.total_pages];
    };
    expect(await names('show=running&page=2&per_page=4')).toEqual([[name(6), name(7), name(8), name(9)], 10, 3]);
    expect(await names('show=running&page=9')).toEqual([[], 10, 1]);
    expect(await names('show=changed&per_page=3')).toEqual([[name(10), name(11), name(0)], 4, 2]);
    expect(await names('show=non-compliant&page=1')).toEqual([[], 0, 0]);
    expect(await names('search=A0&per_page=1')).toEqual([[name(2)], 10, 10]);
    expect(await names(`search=${digest(`${env} 5`).slice(0, 40)}`)).toEqual([[name(5)], undefined, undefined]);
    await reader().refused(400, 'GET', `/snapshots/acme/${env}/-1?per_page=101`);
    await reader().refused(400, 'GET', `/snapshots/acme/${env}/-1?show=all-of-it`);
  });
});
