import type { OrgDeploymentPage, RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { ArtifactListItem } from '@assurance/contracts/flows/answers/artifact';
import type { RepoAnswer, RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { TrailEventAnswer } from '@assurance/contracts/flows/answers/trail';
import { eventually } from './support/eventually';
import { artifact, digest, environment, flow, fresh, item, post, report, YESTERDAY } from './support/samples';
import { onOwnServices } from './support/world';

onOwnServices((world) => {
  const caller = () => world().as('member');
  const join = (...words: string[]) => world().operator.run('join-repositories', ...words);
  const repos = async (search: string) => (await caller().get<RepoPage>(`/repos/acme?search=${search}`)).repos;
  const byId = (id: string) => caller().get<RepoAnswer>(`/repos/acme/any?id=${id}`);
  const deploymentsOf = (repo: string) => caller().get<RepoDeploymentPage>(`/repos/acme/${repo}/deployments`);
  const tag = (id: string, tags: Readonly<Record<string, string>>) =>
    caller().expect(200, 'PATCH', `/tags/acme/repo/${id}`, { json: { set_tags: tags } });

  /** A repository of a server whose ssh was recorded without its port, and the same by its clone address. */
  async function twice() {
    const project = fresh('proj');
    const addresses = [
      `https://git.example.com/${project}/web`,
      `https://git.example.com/scm/${project.toUpperCase()}/web.git`,
    ];
    const env = await environment(caller());
    const built = [];
    for (const [i, repo_url] of addresses.entries()) {
      const [name, fingerprint] = [await flow(caller()), digest(fresh('build'))];
      const filename = `registry.example.com/${project}:1.${i}`;
      await post(
        caller(),
        name,
        artifact(fingerprint, { filename, repo_url, repo_info: undefined, trail_name: 'build' }),
      );
      await report(caller(), env, [item({ [filename]: fingerprint }, YESTERDAY)]);
      built.push({ flow: name, fingerprint });
    }
    const [older, younger] = (await repos(project)).toSorted((a, b) => a.created_at - b.created_at);
    if (older === undefined || younger === undefined) throw new Error('there are not two');
    return { project, env, built, older, younger, addresses };
  }

  it('are one under both ids, with all that either had, and both addresses lead to it', async () => {
    const { project, env, built, older, younger, addresses } = await twice();
    const [first, second] = built.map(({ fingerprint }) => fingerprint);
    await tag(older.id, { team: 'older' });
    await tag(younger.id, { team: 'younger', tier: 'younger' });
    expect((await deploymentsOf(younger.id)).deployments.map(({ fingerprint }) => fingerprint)).toEqual([second]);

    const dry = await join('acme', '--dry-run');
    expect(dry.outcome?.summary).toMatch(/would be joined to/);
    expect(await repos(project)).toHaveLength(2);
    const { outcome } = await join('acme');
    const olderRepo = { id: older.id, name: older.name, url: older.url };
    expect(outcome?.details).toMatchObject({
      joined: expect.arrayContaining([
        { kept: olderRepo, joined: [{ id: younger.id, name: younger.name, url: younger.url }] },
      ]) as unknown,
    });

    const page = `https://git.example.com/projects/${project.toUpperCase()}/repos/web`;
    const expected = { id: older.id, url: page, tags: { team: 'older', tier: 'younger' } };
    expect(await repos(project)).toMatchObject([expected]);
    for (const id of [older.id, younger.id]) expect(await byId(id)).toMatchObject(expected);
    await tag(younger.id, { tier: 'now' });
    expect((await byId(older.id)).tags).toEqual({ team: 'older', tier: 'now' });

    // The view follows.
    const seen = await eventually(
      () => deploymentsOf(older.id),
      ({ deployments }) => deployments.some(({ replaced_artifact }) => replaced_artifact !== null),
    );
    expect(seen).toMatchObject({
      total_count: 2,
      deployments: [{ fingerprint: second, replaced_artifact: { fingerprint: first } }, { fingerprint: first }],
    });
    const listed = (await deploymentsOf(younger.id)).deployments;
    expect(listed).toEqual(seen.deployments);
    const name = encodeURIComponent((await byId(older.id)).name);
    const { total_count } = await caller().get<OrgDeploymentPage>(`/deployments/acme?repo_name=${name}`);
    expect(total_count).toBe(2);
    const artifacts = await caller().get<ArtifactListItem[]>(`/artifacts/acme?repo_name=${name}`);
    expect(artifacts.map(({ fingerprint }) => fingerprint).sort()).toEqual([first, second].sort());
    const events = `/environments/acme/${env}/events?repo_name=${name}`;
    expect(await caller().get<unknown[]>(events)).toHaveLength(3);
    for (const { flow: name } of built) {
      const { events: items } = await caller().get<{ events: TrailEventAnswer[] }>(`/trails/acme/${name}/build`);
      const ids = items.flatMap(({ repo_info }) => repo_info?.inner_id ?? []);
      expect(new Set(ids)).toEqual(new Set([older.id]));
    }

    for (const repo_url of addresses) {
      await post(caller(), await flow(caller()), artifact(digest(fresh('build')), { repo_url, repo_info: undefined }));
    }
    expect(await repos(project)).toMatchObject([{ id: older.id }]);
    expect((await join('acme')).outcome).toMatchObject({ ok: true, summary: 'No repository is there twice.' });
    expect((await world().operator.run('verify')).outcome?.ok).toBe(true);
  }, 120_000);

  it('are one for what starts after the join: what it replaced is known', async () => {
    const project = fresh('proj');
    const addresses = [
      `https://git.example.com/${project}/web`,
      `https://git.example.com/scm/${project.toUpperCase()}/web.git`,
    ];
    const [env, name] = [await environment(caller()), await flow(caller())];
    const builds = [0, 1].map((i) => ({ filename: `web-${i}`, fingerprint: digest(fresh('build')) }));
    const build = async (i: number) => {
      const { filename = '', fingerprint = '' } = builds[i] ?? {};
      await post(
        caller(),
        name,
        artifact(fingerprint, { filename, repo_url: addresses[i], repo_info: undefined, trail_name: `build-${i}` }),
      );
    };
    await build(0);
    await build(1);
    const running = async (i: number) => {
      const { filename = '', fingerprint = '' } = builds[i] ?? {};
      await report(caller(), env, [item({ [filename]: fingerprint }, YESTERDAY)]);
    };
    await running(0);
    expect((await join('acme')).outcome?.summary).toMatch(/joined/);
    // Provenance of both is older than the join, and names two repositories.
    await running(1);
    const snapshot = await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`);
    const [artifactNow] = snapshot.artifacts;
    expect(artifactNow).toMatchObject({ annotation: { type: 'changed' } });
    expect(artifactNow?.flows[0]?.deployment_diff).toMatchObject({
      previous_fingerprint: builds[0]?.fingerprint,
    });
  }, 120_000);

  it('are joined by an operation that names what is wrong with its words', async () => {
    expect((await join()).error).toBe('join-repositories takes <organization> [--dry-run].');
    expect((await join('acme', 'now')).error).toBe('join-repositories takes <organization> [--dry-run].');
    expect((await join('nobody')).error).toBe("There is no organization 'nobody'.");
  });
});
