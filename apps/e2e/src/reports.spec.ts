import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import { CREATED, digest, environment, fresh, item, report, UNCHANGED, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('snapshotter');
  const latest = (env: string) => caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
  const runs = async (env: string) =>
    (await latest(env)).artifacts.map(({ name, annotation }) => [
      name,
      annotation.type,
      annotation.was,
      annotation.now,
    ]);
  const [a, b, c] = [digest('a'), digest('b'), digest('c')];

  it('creates snapshots of changes, numbered from 1', async () => {
    const env = await environment(caller());
    expect(await report(caller(), env, [item({ 'a:1': a }), item({ 'b:1': b })])).toBe(CREATED(1));
    expect(await runs(env)).toEqual([
      ['a:1', 'started', 0, 1],
      ['b:1', 'started', 0, 1],
    ]);
    expect(await report(caller(), env, [item({ 'b:1': b }), item({ 'c:1': c })])).toBe(CREATED(2));
    expect(await runs(env)).toEqual([
      ['b:1', 'unchanged', 1, 1],
      ['c:1', 'started', 0, 1],
      ['a:1', 'exited', 1, 0],
    ]);
    expect(await report(caller(), env, [item({ 'b:1': b }), item({ 'c:1': c })])).toBe(UNCHANGED);
    expect(await report(caller(), env, [])).toBe(CREATED(3));
    expect(await runs(env)).toEqual([
      ['b:1', 'exited', 1, 0],
      ['c:1', 'exited', 1, 0],
    ]);
    expect(await report(caller(), env, [])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'a:1': a })])).toBe(CREATED(4));
    expect(await runs(env)).toEqual([['a:1', 'started', 0, 1]]);
  });

  it('treats null as an empty list', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'a:1': a })]);
    expect(await report(caller(), env, null)).toBe(CREATED(2));
    expect((await latest(env)).artifacts).toMatchObject([{ annotation: { type: 'exited', was: 1, now: 0 } }]);
  });

  it('creates at most one snapshot for an empty first report', async () => {
    const env = await environment(caller());
    const first = await report(caller(), env, []);
    expect([CREATED(1), UNCHANGED]).toContain(first);
    expect(await report(caller(), env, [])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'a:1': a })])).toBe(CREATED(first === UNCHANGED ? 1 : 2));
  });

  it('creates no snapshot for other timestamps, counts or order', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'a:1': a }, YESTERDAY), item({ 'b:1': b }, YESTERDAY)]);
    expect(await report(caller(), env, [item({ 'b:1': b }, YESTERDAY), item({ 'a:1': a }, YESTERDAY)])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'a:1': a }, 5), item({ 'b:1': b }, 6)])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'a:1': a }), item({ 'a:1': a }), item({ 'b:1': b })])).toBe(UNCHANGED);
    expect(await report(caller(), env, [item({ 'a:1': a, 'b:1': b }, 0)])).toBe(UNCHANGED);
    const { artifacts, index } = await latest(env);
    expect(index).toBe(1);
    expect(artifacts.map(({ creationTimestamp }) => creationTimestamp)).toEqual([[YESTERDAY], [YESTERDAY]]);
  });

  it('creates a snapshot for a change of counts only where scaling is included', async () => {
    const env = await environment(caller(), { include_scaling: true });
    const times = (n: number) => Array.from({ length: n }, (_, i) => item({ 'a:1': a }, YESTERDAY + i));
    expect(await report(caller(), env, times(1))).toBe(CREATED(1));
    expect(await report(caller(), env, times(3))).toBe(CREATED(2));
    expect(await runs(env)).toEqual([['a:1', 'scaled', 1, 3]]);
    expect((await latest(env)).artifacts[0]?.creationTimestamp).toEqual([YESTERDAY, YESTERDAY + 1, YESTERDAY + 2]);
    expect(await report(caller(), env, times(3).reverse())).toBe(UNCHANGED);
    expect(await report(caller(), env, [...times(2), item({ 'b:1': b })])).toBe(CREATED(3));
    expect(await runs(env)).toEqual([
      ['a:1', 'scaled', 3, 2],
      ['b:1', 'started', 0, 1],
    ]);
  });

  it('stores several instances of one artifact', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'a:1': a }, YESTERDAY + 9), item({ 'a:1': a }, YESTERDAY)]);
    expect((await latest(env)).artifacts).toMatchObject([
      {
        name: 'a:1',
        annotation: { type: 'started', was: 0, now: 2 },
        creationTimestamp: expect.arrayContaining([YESTERDAY, YESTERDAY + 9]),
      },
    ]);
  });

  it('lists several names of one digest, and takes them for one artifact', async () => {
    const env = await environment(caller());
    expect(await report(caller(), env, [item({ 'a:1': a, 'a:latest': a })])).toBe(CREATED(1));
    expect(await runs(env)).toEqual([
      ['a:1', 'started', 0, 1],
      ['a:latest', 'started', 0, 1],
    ]);
    expect(await report(caller(), env, [item({ 'a:latest': a })])).toBe(UNCHANGED);
    expect(await report(caller(), env, [])).toBe(CREATED(2));
    expect(await runs(env)).toEqual([
      ['a:1', 'exited', 1, 0],
      ['a:latest', 'exited', 1, 0],
    ]);
  });

  it('stores digests in lower case', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'a:1': a.toUpperCase() })]);
    expect((await latest(env)).artifacts).toMatchObject([{ fingerprint: a }]);
    expect(await report(caller(), env, [item({ 'a:1': a })])).toBe(UNCHANGED);
  });

  it('treats a creation time of 0 as unknown', async () => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'a:1': a }, 0)]);
    expect((await latest(env)).artifacts).toMatchObject([{ creationTimestamp: [0] }]);
  });

  it('accepts names of any letters', async () => {
    const env = await environment(caller());
    const names = ['ä/ö:1', '日本:1', '🙂', ' ', '', '__proto', 'constructor', '\'"\\', 'x'.repeat(512)];
    for (const name of names) {
      expect(await report(caller(), env, [item({ [name]: digest(`letters ${name}`) })])).toMatch(
        /^Report processed, snapshot \d+ created$/,
      );
      expect((await latest(env)).artifacts.map((artifact) => artifact.name)).toContain(name);
    }
  });

  it('refuses a report of another type, and names both types', async () => {
    const json = { artifacts: [item({ 'a:1': a })] };
    for (const type of ['server', 'K8S', 'logical']) {
      const env = await environment(world().as('admin'), { type });
      const error = await caller().refused(400, 'PUT', `/environments/acme/${env}/report/docker`, { json });
      expect(error).toEqual({ message: 'Invalid report data', errors: { type: expect.stringContaining(type) } });
      expect(error.errors?.['type']).toContain('docker');
    }
  });

  it('reports an unknown environment with the text of the specification', async () => {
    const json = { artifacts: [] };
    for (const env of ['nowhere', 'no%20where', '__proto__']) {
      expect(await caller().refused(404, 'PUT', `/environments/acme/${env}/report/docker`, { json })).toEqual({
        message: 'Environment not found',
      });
    }
  });

  it('orders simultaneous reports of one environment', async () => {
    const env = await environment(caller());
    const texts = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const artifacts = [item({ 'a:1': digest(`${env} ${i}`) })];
        const sent = () => caller().send('PUT', `/environments/acme/${env}/report/docker`, { json: { artifacts } });
        for (;;) {
          const { status, text } = await sent();
          if (status !== 409) return text;
        }
      }),
    );
    const numbers = texts.map((text) => Number(/snapshot (\d+) created/.exec(text)?.[1]));
    expect(numbers.sort((x, y) => x - y)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
    const list = await caller().get<SnapshotListItem[]>(`/snapshots/acme/${env}?per_page=50`);
    expect(list.map(({ index }) => index)).toEqual(Array.from({ length: 16 }, (_, i) => 16 - i));
  });

  it('accepts a thousand artifacts, and a change of one of them', async () => {
    const env = await environment(caller());
    const many = Array.from({ length: 1_000 }, (_, i) => item({ [`svc-${i}:1`]: digest(`${env} ${i}`) }));
    expect(await report(caller(), env, many)).toBe(CREATED(1));
    expect(await report(caller(), env, many)).toBe(UNCHANGED);
    expect(await report(caller(), env, [...many.slice(1), item({ 'svc-0:2': digest(fresh('new')) })])).toBe(CREATED(2));
    const { artifacts, artifact_compliance_count } = await latest(env);
    expect(artifacts.filter(({ annotation }) => annotation.type === 'unchanged')).toHaveLength(999);
    expect(artifacts.filter(({ annotation }) => annotation.now > 0)).toHaveLength(1_000);
    expect(artifact_compliance_count).toEqual({ true: 0, false: 0, null: 1_000 });
  }, 60_000);
});
