import type { OrgDeploymentPage, RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { artifact, digest, environment, flow, item, post, report, repository, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

type Page = OrgDeploymentPage | RepoDeploymentPage;

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  /** Both lists of seven deployments into one environment: paths with a filter each. */
  const sevenDeployments = async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const items = [];
    for (let i = 0; i < 7; i += 1) {
      const fingerprint = digest(`${env} ${i}`);
      await post(caller(), flowName, artifact(fingerprint, { repo_info, template_reference_name: `part-${i}` }));
      items.push(item({ [`part-${i}`]: fingerprint }, YESTERDAY + i));
    }
    await report(caller(), env, items);
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(repo_info.name)}`);
    const start = `start_ts=${YESTERDAY - 5}.25`;
    return [
      `/deployments/acme?env_name=${env}&repo_name=${encodeURIComponent(repo_info.name)}&${start}`,
      `/repos/acme/${repos[0]?.id}/deployments?env=nowhere&env=${env}&${start}`,
    ];
  };
  const names = ({ deployments }: Page) => deployments.map(({ artifact_name }) => artifact_name);
  /** Follows a link of a page, which is absolute. */
  const follow = (link: string | undefined) => {
    const { pathname, search } = new URL(link ?? 'none:');
    return caller().get<Page>(pathname.slice('/api/v2'.length) + search);
  };
  let lists: readonly string[];
  beforeAll(async () => (lists = await sevenDeployments()));

  it('counts pages, and leaves out links at the ends', async () => {
    for (const list of lists) {
      const first = await caller().get<Page>(`${list}&page=1&per_page=3`);
      expect(first).toMatchObject({ page: 1, per_page: 3, total_pages: 3, total_count: 7 });
      expect(Object.keys(first._links ?? {}).sort()).toEqual(['first', 'last', 'next', 'self']);
      expect(names(first)).toEqual(['part-6', 'part-5', 'part-4']);
      const last = await caller().get<Page>(`${list}&page=3&per_page=3`);
      expect(Object.keys(last._links ?? {}).sort()).toEqual(['first', 'last', 'prev', 'self']);
      expect(names(last)).toEqual(['part-0']);
      const only = await caller().get<Page>(list);
      expect(Object.keys(only._links ?? {}).sort()).toEqual(['first', 'last', 'self']);
    }
  });

  it('links pages that have the same content later', async () => {
    for (const list of lists) {
      const pages = [await caller().get<Page>(`${list}&per_page=3`)];
      for (let at = pages[0]; at?._links?.next !== undefined; at = pages.at(-1))
        pages.push(await follow(at._links.next));
      expect(pages.flatMap(names)).toEqual(Array.from({ length: 7 }, (_, i) => `part-${6 - i}`));
      for (const [i, page] of pages.entries()) {
        expect(await follow(page._links?.self)).toEqual(page);
        expect(await follow(page._links?.first)).toEqual(pages[0]);
        expect(await follow(page._links?.last)).toEqual(pages.at(-1));
        if (i > 0) expect(await follow(page._links?.prev)).toEqual(pages[i - 1]);
      }
    }
  });

  it('has a fixed window in its links, so that a later deployment does not shift pages', async () => {
    for (const list of lists) {
      const { _links } = await caller().get<Page>(`${list}&per_page=3`);
      const query = new URL(_links?.next ?? '').searchParams;
      expect(Number(query.get('start_ts'))).toBe(YESTERDAY - 5 + 0.25);
      expect(Math.abs(Number(query.get('end_ts')) - Date.now() / 1000)).toBeLessThan(30);
      expect(query.get('per_page')).toBe('3');
      expect(query.get('page')).toBe('2');
      if (list.includes('env=')) expect(query.getAll('env')).toHaveLength(2);
      else expect([query.has('env_name'), query.has('repo_name')]).toEqual([true, true]);
    }
  });

  it('accepts up to 50 items a page; the default is 15', async () => {
    for (const list of lists) {
      expect(await caller().get<Page>(list)).toMatchObject({ page: 1, per_page: 15 });
      const most = await caller().get<Page>(`${list}&per_page=50`);
      expect([most.per_page, most.deployments.length]).toEqual([50, 7]);
      expect((await caller().get<Page>(`${list}&per_page=1`)).deployments).toHaveLength(1);
    }
  });

  it('returns only the counts for 0 items a page', async () => {
    for (const list of lists) {
      expect(await caller().get<Page>(`${list}&per_page=0`)).toEqual({
        page: 1,
        per_page: 0,
        total_pages: 0,
        total_count: 7,
        _links: null,
        deployments: [],
      });
    }
  });

  it('answers a page past the end with an empty list', async () => {
    for (const list of lists) {
      const past = await caller().get<Page>(`${list}&page=9&per_page=3`);
      expect(past).toMatchObject({ page: 9, per_page: 3, total_pages: 3, total_count: 7, deployments: [] });
      expect(past._links).not.toHaveProperty('next');
      expect(names(await follow(past._links?.prev))).not.toHaveLength(0);
      await caller().get<Page>(`${list}&page=999999999999999`);
    }
  });

  it('answers an empty list with no pages', async () => {
    const empty = await caller().get<Page>('/deployments/acme?env_name=nowhere');
    expect(empty).toMatchObject({ page: 1, per_page: 15, total_pages: 0, total_count: 0, deployments: [] });
  });

  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.0'],
    ['page', '+1'],
    ['page', '1e3'],
    ['page', 'x'],
    ['page', ''],
    ['page', '1&page=2'],
    ['page', '%EF%BC%91'],
    ['page', '99999999999999999999'],
    ['per_page', '51'],
    ['per_page', '-1'],
    ['per_page', ''],
    ['per_page', '0x10'],
    ['start_ts', 'NaN'],
    ['start_ts', 'Infinity'],
    ['start_ts', '2026-11-01'],
    ['start_ts', '2026-11-01T00:00:00Z'],
    ['end_ts', '1795720000000'],
    ['end_ts', '1e9'],
    ['end_ts', 'yesterday'],
    ['end_ts', '1&end_ts=2'],
    ['colour', 'red'],
    ['__proto__', 'x'],
    ['page[]', '1'],
  ])('refuses %s as %s', async (name, value) => {
    for (const list of lists) {
      const url = `${list.split('?')[0]}?${name}=${value}`;
      const error = await caller().refused(400, 'GET', url);
      expect(error.message).toMatch(/^Input payload validation failed: /);
      expect(Object.keys(error.errors ?? {})).toEqual([name]);
    }
  });

  it('refuses empty filters and windows that end before they start', async () => {
    const [org, repo] = lists.map((list) => list.split('?')[0]);
    for (const [url, name] of [
      [`${org}?env_name=`, 'env_name'],
      [`${org}?repo_name=`, 'repo_name'],
      [`${repo}?env=`, 'env'],
      [`${repo}?env=a&env=`, 'env'],
      [`${org}?start_ts=10&end_ts=5`, 'start_ts'],
      [`${repo}?start_ts=10&end_ts=9.999`, 'start_ts'],
    ] as const) {
      const error = await caller().refused(400, 'GET', url);
      expect(error.message).toMatch(/^Input payload validation failed: /);
      expect(Object.keys(error.errors ?? {}).join()).toMatch(name === 'start_ts' ? /_ts/ : name);
    }
    await caller().get<Page>(`${org}?start_ts=10&end_ts=10`);
  });

  it('lists only deployments of the organization', async () => {
    const other = world().withHeader('Bearer other-admin-key');
    const foreign = names(await other.get<Page>('/deployments/other?start_ts=0'));
    expect(foreign.filter((name) => name?.startsWith('part-'))).toEqual([]);
    const id = lists[1]?.split('/')[3];
    expect(await other.refused(404, 'GET', `/repos/other/${id}/deployments`)).toEqual({ message: 'Repo not found' });
  });
});
