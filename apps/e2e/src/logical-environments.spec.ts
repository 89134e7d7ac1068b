import { isDeepStrictEqual } from 'node:util';
import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { EnvironmentEvent } from '@assurance/contracts/environments/answers/environment-event';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts/environments/answers/snapshot';
import type { SearchAnswer } from '@assurance/contracts/flows/answers/artifact';
import type { Caller } from './support/caller';
import { eventually } from './support/eventually';
import { artifact, digest, environment, flow, fresh, item, post, report } from './support/samples';
import { onEveryDeployment } from './support/world';

const equals = (expected: unknown) => (answer: unknown) => isDeepStrictEqual(answer, expected);
const unknown = (name: string) => ({ message: `Environment named '${name}' does not exist for organization 'acme'` });

onEveryDeployment((world) => {
  const caller = (): Caller => world().as('member');
  const path = (name: string, act = '') => `/environments/acme/${name}${act}`;
  const logical = (...included_environments: string[]) =>
    environment(caller(), { type: 'logical', included_environments });
  const join = (name: string, physical_env_name: string) =>
    caller().expect<string>(200, 'PUT', path(name, '/join'), { json: { physical_env_name } });
  const get = (name: string) => caller().get<EnvironmentAnswer>(path(name));
  const snapshots = (name: string) => caller().get<SnapshotListItem[]>(`/snapshots/acme/${name}`);
  const snapshot = (name: string, expression: string | number) =>
    caller().get<SnapshotAnswer>(`/snapshots/acme/${name}/${encodeURIComponent(expression)}`);
  /** The running artifacts of its newest snapshot by name, with the number of instances. */
  const runningIn = async (name: string) => {
    if ((await snapshots(name)).length === 0) return [];
    const { artifacts } = await snapshot(name, -1);
    return artifacts
      .filter(({ annotation }) => annotation.now > 0)
      .map((artifact) => `${artifact.name} ${artifact.creationTimestamp.length}`)
      .sort();
  };
  const shows = async (name: string, ...expected: string[]) => {
    const all = [...expected].sort().join();
    expect(
      (
        await eventually(
          () => runningIn(name),
          (results) => results.join() === all,
        )
      ).join(),
    ).toBe(all);
  };

  it('shows what all its members run, in its own snapshots', async () => {
    const [a, b] = [await environment(caller()), await environment(caller())];
    const union = await logical(a, b);
    expect(await get(union)).toMatchObject({ type: 'logical', included_environments: [a, b], last_reported_at: null });
    const mark = fresh('union');
    await report(caller(), a, [item({ [`${mark}:a`]: digest(`${mark} a`), [`${mark}:c`]: digest(`${mark} c`) })]);
    await shows(union, `${mark}:a 1`, `${mark}:c 1`);
    await report(caller(), b, [item({ [`${mark}:b`]: digest(`${mark} b`), [`${mark}:c`]: digest(`${mark} c`) })]);
    await shows(union, `${mark}:a 1`, `${mark}:b 1`, `${mark}:c 2`);
    await report(caller(), a, []);
    await shows(union, `${mark}:b 1`, `${mark}:c 1`);

    const list = await snapshots(union);
    expect(list.map(({ index }) => index)).toEqual([3, 2, 1]);
    expect(list.map(({ to }) => to === 0)).toEqual([true, false, false]);
    const second = await snapshot(union, 2);
    expect(second).toMatchObject({ index: 2, type: 'logical', is_latest: false });
    expect(second.artifacts.map(({ name, annotation }) => [name, annotation.type])).toEqual([
      [`${mark}:a`, 'unchanged'],
      [`${mark}:b`, 'started'],
      [`${mark}:c`, 'unchanged'],
    ]);
    expect((await snapshot(union, '~1')).index).toBe(2);
    const expected = [`3 ${mark}:a`, `2 ${mark}:b`, `1 ${mark}:a`, `1 ${mark}:c`].sort().join();
    const events = async () =>
      (await caller().get<EnvironmentEvent[]>(`${path(union, '/events')}?interval=1..3`))
        .map(({ artifact_name, snapshot_index }) => `${snapshot_index} ${artifact_name}`)
        .sort()
        .join();
    expect(await eventually(events, (result) => result === expected)).toBe(expected);
  });

  it('names the members that ran an artifact when a snapshot was made, and of the latest those that run it now', async () => {
    const [a, b] = [await environment(caller()), await environment(caller())];
    const union = await logical(a, b);
    const mark = fresh('where');
    const of = (...names: readonly string[]) =>
      names.map((name) => item({ [`${mark}:${name}`]: digest(`${mark} ${name}`) }));
    await report(caller(), a, of('x', 'y'));
    await shows(union, `${mark}:x 1`, `${mark}:y 1`);
    await report(caller(), b, of('x', 'z'));
    await shows(union, `${mark}:x 2`, `${mark}:y 1`, `${mark}:z 1`);
    await report(caller(), a, []);
    await shows(union, `${mark}:x 1`, `${mark}:z 1`);
    const placesIn = async (index: number) => {
      const { artifacts } = await caller().get<SnapshotAnswer>(`/snapshots/acme/${union}/${index}?page=1&show=running`);
      return Object.fromEntries(artifacts.map(({ name, running_in }) => [name.split(':')[1], running_in]));
    };
    expect(await placesIn(1)).toEqual({ x: [a], y: [a] });
    expect(await placesIn(2)).toEqual({ x: [a, b].sort(), y: [a], z: [b] });
    const now = { x: [b], z: [b] };
    expect(await eventually(() => placesIn(3), equals(now))).toEqual(now);
    // What left is shown with the snapshot in which it left, and ran nowhere then.
    const left = await caller().get<SnapshotAnswer>(`/snapshots/acme/${union}/3?page=1&show=changed`);
    expect(left.artifacts.map(({ running_in }) => running_in)).toEqual([[]]);
    // A member that is none any more is named all the same, by its present name.
    const renamed = fresh('renamed');
    await caller().expect(200, 'PUT', path(a, '/rename'), { json: { new_name: renamed } });
    await caller().expect(200, 'PATCH', path(union), { json: { included_environments: [b] } });
    const then = { x: [renamed, b].sort(), y: [renamed], z: [b] };
    expect(await placesIn(2)).toEqual(then);
    // A shared answer with the earlier name of a member is used no more.
    expect(await placesIn(3)).toEqual(now);
    const other = fresh('renamed');
    await caller().expect(200, 'PUT', path(b, '/rename'), { json: { new_name: other } });
    expect(await placesIn(3)).toEqual({ x: [other], z: [other] });
  });

  it('follows members that are added, archived, restored or removed', async () => {
    const [a, b] = [await environment(caller()), await environment(caller())];
    for (const name of [a, b]) await report(caller(), name, [item({ [`in-${name}`]: digest(`in ${name}`) })]);
    const all = await logical(a);
    await shows(all, `in-${a} 1`);
    expect(await join(all, b)).toBe('OK');
    await join(all, b);
    expect(await get(all)).toMatchObject({ included_environments: [a, b] });
    await shows(all, `in-${a} 1`, `in-${b} 1`);
    await caller().expect(200, 'PUT', path(a, '/archive'), { json: null });
    await shows(all, `in-${b} 1`);
    await caller().expect(200, 'PUT', '/environments/acme', { json: { name: a, type: 'docker' } });
    await shows(all, `in-${a} 1`, `in-${b} 1`);
    await caller().expect(200, 'PATCH', path(all), { json: { included_environments: [a] } });
    await shows(all, `in-${a} 1`);
    const renamed = fresh('renamed');
    await caller().expect(200, 'PUT', path(a, '/rename'), { json: { new_name: renamed } });
    expect(await get(all)).toMatchObject({ included_environments: [renamed] });
    await report(caller(), renamed, []);
    await shows(all);
  });

  it('shows provenance, also if it arrives later; deployments belong to its members', async () => {
    const a = await environment(caller());
    const [all, flowName] = [await logical(a), await flow(caller())];
    const fingerprint = digest(`late in ${all}`);
    await report(caller(), a, [item({ 'late:1': fingerprint })]);
    await shows(all, 'late:1 1');
    await post(caller(), flowName, artifact(fingerprint));
    const only = async () => (await snapshot(all, -1)).artifacts[0];
    expect(await eventually(only, (artifact) => artifact?.flow_name === flowName)).toMatchObject({
      flow_name: flowName,
      annotation: { type: 'updated-provenance' },
    });
    const result = await caller().get<SearchAnswer>(`/search/acme/sha/${fingerprint}`);
    expect(result.artifacts.map(({ running_in }) => running_in)).toEqual([[expect.stringContaining(a)]]);
    const { deployments } = await caller().get<OrgDeploymentPage>('/deployments/acme?per_page=50');
    const of = deployments.filter((deployment) => deployment.fingerprint === fingerprint);
    expect(of.map(({ env_name }) => env_name)).toEqual([a]);
    // The filter by a logical environment means its members.
    expect((await caller().get<OrgDeploymentPage>(`/deployments/acme?env_name=${all}`)).deployments).toEqual(of);
  });

  it('is compliant if all its members are, including empty ones', async () => {
    const strict = { require_provenance: true };
    const [a, b] = [await environment(caller(), strict), await environment(caller(), strict)];
    const [union, built] = [await logical(a, b), await flow(caller())];
    const fingerprint = digest(`strict in ${a}`);
    await post(caller(), built, artifact(fingerprint));
    await report(caller(), a, [item({ 'known:1': fingerprint })]);
    await shows(union, 'known:1 1');
    const state = async () => (await get(union)).state;
    const becomes = async (expected: boolean | null) =>
      expect(await eventually(state, (result) => result === expected)).toBe(expected);
    // What runs in the other one is unknown.
    await becomes(null);
    await report(caller(), b, [item({ 'unknown:1': digest(`strict in ${b}`) })]);
    await becomes(false);
    await report(caller(), b, []);
    await becomes(true);
    await shows(union, 'known:1 1');
  });

  it('accepts only physical members, and no reports', async () => {
    const [a, all, other] = [await environment(caller()), await logical(), await logical()];
    const refused = async (status: number, name: string, physical_env_name: unknown) =>
      caller().refused(status, 'PUT', path(name, '/join'), { json: { physical_env_name } });
    expect(await refused(404, 'nowhere', a)).toEqual(unknown('nowhere'));
    expect(await refused(404, all, 'nowhere')).toEqual(unknown('nowhere'));
    for (const name of [other, all]) {
      expect(Object.keys((await refused(400, all, name)).errors ?? {})).toEqual(['physical_env_name']);
    }
    expect(Object.keys((await refused(400, a, a)).errors ?? {})).toEqual(['type']);
    expect(Object.keys((await refused(400, all, 1)).errors ?? {})).toEqual(['physical_env_name']);
    const removedEnv = await environment(caller());
    await caller().expect(200, 'PUT', path(removedEnv, '/archive'), { json: null });
    expect(await refused(404, all, removedEnv)).toEqual({
      message: `Environment named '${removedEnv}' has been archived`,
    });
    await caller().refused(400, 'PUT', path(all, '/report/docker'), { json: { artifacts: [] } });
    const json = { name: fresh('env'), type: 'logical', included_environments: [all] };
    await caller().refused(400, 'PUT', '/environments/acme', { json });
    await world()
      .as('snapshotter')
      .refused(403, 'PUT', path(all, '/join'), { json: { physical_env_name: a } });
  });
});
