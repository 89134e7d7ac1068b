import type { Build, BuildPage, BuildStatistics } from '@assurance/contracts/flows/answers/build';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { artifact, digest, flow, fresh, post, repository } from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const list = (query: string) => caller().get<BuildPage>(`/builds/acme?${query}`);
  const statistics = (query: string) => caller().get<BuildStatistics>(`/builds/acme/statistics?${query}`);
  const build = async (repo_info: object, flowName: string, fields: object = {}) => {
    const fingerprint = digest(fresh('build'));
    await post(caller(), flowName, artifact(fingerprint, { repo_info, ...fields }));
    return fingerprint;
  };
  const fingerprints = (builds: readonly Build[]) => builds.map(({ fingerprint }) => fingerprint);

  it('lists the first report of each artifact, newest first, by repository', async () => {
    const info = repository();
    const [flowName, other] = [await flow(caller()), await flow(caller())];
    const before = Date.now() / 1_000 - 5;
    const first = await build(info, flowName, { trail_name: 'one' });
    const second = await build(info, flowName);
    // Further reports of a build are none.
    await post(caller(), other, artifact(first, { repo_info: info }));
    const { builds, ...page } = await list(`repo_name=${encodeURIComponent(info.name)}`);
    expect(page).toMatchObject({ page: 1, per_page: 15, total_pages: 1, total_count: 2 });
    expect(builds).toEqual(
      [second, first].map((fingerprint) => ({
        created_at: expect.any(Number),
        fingerprint,
        flow_name: flowName,
        trail_name: fingerprint === first ? 'one' : expect.any(String),
        repo_info: { name: info.name, repo_id: info.id },
        _links: {
          artifact: {
            self: expect.stringContaining(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}`),
            html: expect.stringContaining(`/acme/flows/${flowName}/artifacts/${fingerprint}`),
          },
        },
      })),
    );
    for (const { created_at } of builds) expect(created_at).toBeGreaterThan(before);
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(info.name)}`);
    const [id = ''] = repos.map((repo) => repo.id);
    for (const query of [`repo_id=${info.id}`, `repo_inner_id=${id}`, `repo_id=${info.id}&repo_inner_id=${id}`]) {
      expect(fingerprints((await list(query)).builds)).toEqual([second, first]);
      expect(await statistics(query)).toEqual({
        start_ts: expect.any(Number),
        end_ts: expect.any(Number),
        total_count: 2,
        created_at: builds.map(({ created_at }) => created_at),
      });
    }
    for (const query of [
      'repo_id=nobody',
      'repo_name=nobody',
      'repo_inner_id=nobody',
      `repo_id=x&repo_inner_id=${id}`,
    ]) {
      expect(await list(query)).toMatchObject({ total_count: 0, builds: [] });
      expect(await statistics(query)).toMatchObject({ total_count: 0, created_at: [] });
    }
  });

  it('has pages that can be followed, and windows', async () => {
    const info = repository();
    const flowName = await flow(caller());
    const names: string[] = [];
    for (let i = 0; i < 5; i += 1) names.unshift(await build(info, flowName));
    const results: string[] = [];
    let query = `repo_name=${encodeURIComponent(info.name)}&per_page=2`;
    for (let pages = 1; ; pages += 1) {
      const page = await list(query);
      results.push(...fingerprints(page.builds));
      expect([page.total_count, page.total_pages]).toEqual([5, 3]);
      const { next } = page._links ?? {};
      if (next === undefined) {
        expect(pages).toBe(3);
        break;
      }
      // Shifts nothing.
      if (pages === 1) await build(info, flowName);
      query = new URL(next).search.slice(1);
    }
    expect(results).toEqual(names);
    const repoQuery = `repo_name=${encodeURIComponent(info.name)}`;
    const now = Date.now() / 1_000;
    expect(await list(`${repoQuery}&end_ts=${Math.floor(now - 3_600)}`)).toMatchObject({ total_count: 0, builds: [] });
    expect(await list(`${repoQuery}&per_page=0`)).toMatchObject({
      total_count: 6,
      total_pages: 0,
      builds: [],
      _links: null,
    });
    const past = await statistics(`${repoQuery}&start_ts=100&end_ts=200.5`);
    expect(past).toEqual({ start_ts: 100, end_ts: 200.5, total_count: 0, created_at: [] });
    const usual = await statistics(repoQuery);
    expect(usual.end_ts - usual.start_ts).toBeCloseTo(28 * 24 * 3_600, 0);
    expect(Math.abs(usual.end_ts - now)).toBeLessThan(120);
  });

  it.each([
    ['per_page=51', 'per_page'],
    ['page=0', 'page'],
    ['start_ts=2&end_ts=1', 'start_ts'],
    ['repo_id=', 'repo_id'],
    ['repo=x', 'repo'],
  ])('refuses %s by name', async (query, field) => {
    const { errors } = await caller().refused(400, 'GET', `/builds/acme?${query}`);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });
});
