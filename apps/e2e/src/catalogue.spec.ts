import type { EnvironmentPage, FlowListItem, FlowPage } from '@assurance/contracts/environments/answers/catalogue';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { Caller } from './support/caller';
import { OTHER_KEY } from './support/declared';
import { eventually } from './support/eventually';
import { artifact, digest, environment, flow, fresh, item, post, report, repository } from './support/samples';
import { onOwnServices } from './support/world';

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

onOwnServices((world) => {
  const caller = (): Caller => world().as('member');
  const put = (path: string, json: unknown = null) => caller().expect<string>(200, 'PUT', path, { json });
  const tag = (path: string, set_tags: unknown) =>
    caller().expect(200, 'PATCH', `/tags/acme/${path}`, { json: { set_tags } });

  describe('the list of environments', () => {
    const all = (query = '') => caller().get<EnvironmentAnswer[]>(`/environments/acme${query}`);
    const page = (query: string) => caller().get<EnvironmentPage>(`/environments/acme${query}`);

    it('is a plain list by name of the organization’s environments, each as it is shown alone', async () => {
      const a = await environment(caller(), { description: 'Customers' });
      const b = await environment(caller(), { type: 'logical', included_environments: [a] });
      await report(caller(), a, [item({ 'a:1': digest(a) })]);
      const stranger = world().withHeader(`Bearer ${OTHER_KEY}`);
      await stranger.expect(201, 'PUT', '/environments/other', { json: { name: 'theirs', type: 'docker' } });
      // The logical one has a snapshot of its own a moment after its member has.
      const readEnvironment = () => caller().get<EnvironmentAnswer>(`/environments/acme/${b}`);
      await eventually(readEnvironment, ({ last_changed_at }) => last_changed_at !== null);
      const list = await all();
      expect(names(list)).toEqual([...names(list)].sort());
      expect(names(list)).toEqual(expect.arrayContaining([a, b]));
      expect(names(list)).not.toContain('theirs');
      for (const name of [a, b]) {
        const alone = await caller().get<EnvironmentAnswer>(`/environments/acme/${name}`);
        expect(list.find((environment) => environment.name === name)).toEqual(alone);
      }
      expect(names(await stranger.get<EnvironmentAnswer[]>('/environments/other'))).toEqual(['theirs']);
    });

    it('has an envelope when a page is requested', async () => {
      const part = `${fresh('paged')}-`;
      for (const end of ['c', 'a', 'b']) {
        await caller().expect(201, 'PUT', '/environments/acme', { json: { name: part + end, type: 'docker' } });
      }
      const counts = { per_page: 2, total_pages: 2, total_count: 3 };
      const first = await page(`?name=${part}&page=1&per_page=2`);
      expect(first).toEqual({ ...counts, page: 1, environments: first.environments });
      expect(names(first.environments)).toEqual([`${part}a`, `${part}b`]);
      const second = await page(`?name=${part.toUpperCase()}&page=2&per_page=2`);
      expect([names(second.environments), second.page]).toEqual([[`${part}c`], 2]);
      expect(await page(`?name=${part}&page=99&per_page=2`)).toEqual({ ...counts, page: 99, environments: [] });
      expect(await page(`?name=${part}&page=1`)).toMatchObject({ per_page: 15, total_pages: 1 });
      expect(await page(`?name=${part}&per_page=50`)).toMatchObject({ page: 1, per_page: 50 });
      expect(names((await page(`?page=1&per_page=1&sort_direction=desc`)).environments)).toEqual(
        names(await all()).slice(-1),
      );
      expect(await page('?name=nobody-has-this&page=1')).toMatchObject({ total_pages: 0, total_count: 0 });
      expect(await all('?name=nobody-has-this')).toEqual([]);
    });

    it('can be filtered by types and tags, without archived environments', async () => {
      const part = `${fresh('filtered')}-`;
      const types = { a: 'docker', b: 'server', c: 'K8S', d: 'docker' };
      for (const [end, type] of Object.entries(types)) {
        await caller().expect(201, 'PUT', '/environments/acme', { json: { name: part + end, type } });
      }
      const ends = async (query: string) => names(await all(`?name=${part}${query}`)).map((name) => name.slice(-1));
      await tag(`env/${part}a`, { team: 'tea:green', tier: '1' });
      await tag(`env/${part}b`, { team: 'shop' });
      expect(await ends('')).toEqual(['a', 'b', 'c', 'd']);
      expect(await ends('&type=docker')).toEqual(['a', 'd']);
      expect(await ends('&type=server&type=K8S')).toEqual(['b', 'c']);
      expect(await ends('&tag=team')).toEqual(['a', 'b']);
      expect(await ends('&tag=team:tea:green')).toEqual(['a']);
      expect(await ends('&tag=team&tag=tier:1')).toEqual(['a']);
      expect(await ends('&tag=team:shop&tag=tier')).toEqual([]);
      expect(await ends('&tag=constructor')).toEqual([]);
      expect(await ends('&space_id=root&space_id=other')).toEqual(['a', 'b', 'c', 'd']);
      expect(await ends('&space_id=other')).toEqual([]);
      await put(`/environments/acme/${part}a/archive`);
      expect(await ends('')).toEqual(['b', 'c', 'd']);
      await caller().expect(200, 'PUT', '/environments/acme', { json: { name: `${part}a`, type: 'docker' } });
      expect(await ends('&type=docker')).toEqual(['a', 'd']);
      await put(`/environments/acme/${part}d/rename`, { new_name: `${part}0` });
      expect(await ends('&type=docker')).toEqual(['0', 'a']);
    });

    it('has the requested order', async () => {
      const part = `${fresh('sorted')}-`;
      for (const end of ['a', 'b', 'c']) {
        await caller().expect(201, 'PUT', '/environments/acme', { json: { name: part + end, type: 'docker' } });
      }
      for (const end of ['b', 'a']) {
        await report(caller(), part + end, [item({ 'a:1': digest(part) })]);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await tag(`env/${part}a`, { x: 'y' });
      const ends = async (query: string) => names(await all(`?name=${part}${query}`)).map((name) => name.slice(-1));
      expect(await ends('&sort_direction=desc')).toEqual(['c', 'b', 'a']);
      expect(await ends('&sort=name')).toEqual(['a', 'b', 'c']);
      expect(await ends('&sort=last_modified_at')).toEqual(['b', 'c', 'a']);
      expect(await ends('&sort=last_modified_at&sort_direction=desc')).toEqual(['a', 'c', 'b']);
      expect(await ends('&sort=last_changed_at')).toEqual(['c', 'b', 'a']);
      expect(await ends('&sort=last_changed_at&sort_direction=desc')).toEqual(['a', 'b', 'c']);
    });

    it('names the wrong parameter', async () => {
      for (const [query, parameter] of [
        ['type=k8s', 'type'],
        ['type=docker&type=', 'type'],
        ['sort=colour', 'sort'],
        ['sort_direction=up', 'sort_direction'],
        ['tag=', 'tag'],
        ['name=a&name=b', 'name'],
        ['page=', 'page'],
        ['colour=red', 'colour'],
      ] as const) {
        const { errors } = await caller().refused(400, 'GET', `/environments/acme?${query}`);
        expect(Object.keys(errors ?? {})).toEqual([parameter]);
      }
    });
  });

  describe('the list of flows', () => {
    const all = (query = '') => caller().get<FlowListItem[]>(`/flows/acme${query}`);
    const page = (query: string) => caller().get<FlowPage>(`/flows/acme${query}`);

    it('is a plain list by name, each flow as it is shown alone and with its latest activity', async () => {
      const name = await flow(caller());
      await tag(`flow/${name}`, { team: 'shop' });
      const list = await all();
      expect(names(list)).toEqual([...names(list)].sort());
      const { last_deployment_at: _, ...alone } = await caller().get<Record<string, unknown>>(`/flows/acme/${name}`);
      const result = list.find((item) => item.name === name);
      expect(result).toEqual({ ...alone, latest_activity_at: expect.any(Number), latest_state: null });
      await post(caller(), name, artifact(digest(`activity of ${name}`)));
      const later = (await all(`?search_by_name=${name}`)).find((item) => item.name === name);
      expect(later?.latest_activity_at).toBeGreaterThan(result?.latest_activity_at ?? Infinity);
      expect(later?.latest_state).toBe('COMPLIANT');
      const form = new FormData();
      form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: false }));
      await caller().expect(201, 'POST', `/attestations/acme/${name}/trail/another/generic`, { form });
      expect((await all(`?search_by_name=${name}`))[0]?.latest_state).toBe('NON-COMPLIANT');
    });

    it('can be filtered by tags, which are those that the flow has now', async () => {
      const [shop, tea] = [await flow(caller()), await flow(caller())];
      const team = fresh('team');
      await tag(`flow/${shop}`, { [team]: 'tea:green', tier: '1' });
      await tag(`flow/${tea}`, { [team]: 'tea' });
      const tagged = async (query: string) => names(await all(`?${query}`));
      expect(await tagged(`tag=${team}`)).toEqual([shop, tea].sort());
      expect(await tagged(`tag=${team}:tea:green`)).toEqual([shop]);
      expect(await tagged(`tag=${team}&tag=tier:1`)).toEqual([shop]);
      expect(await tagged(`tag=${team}:tea&tag=tier`)).toEqual([]);
      expect(await page(`?tag=${team}&per_page=1&page=2`)).toMatchObject({ pagination: { total: 2, page_count: 2 } });
      await caller().expect(200, 'PATCH', `/tags/acme/flow/${shop}`, { json: { remove_tags: [team] } });
      expect(await tagged(`tag=${team}`)).toEqual([tea]);
      expect(Object.keys((await caller().refused(400, 'GET', '/flows/acme?tag=')).errors ?? {})).toEqual(['tag']);
    });

    it('has pagination when a page is requested, and can be searched by name', async () => {
      const part = `${fresh('Paged')}~`;
      for (const end of ['c', 'a', 'b']) {
        await caller().expect(201, 'PUT', '/flows/acme', { json: { name: part + end, template: ['artifact'] } });
      }
      const first = await page(`?search_by_name=${part}&page=1&per_page=2`);
      expect(Object.keys(first).sort()).toEqual(['data', 'pagination']);
      expect(first.pagination).toEqual({ page: 1, page_count: 2, total: 3 });
      expect(names(first.data)).toEqual([`${part}a`, `${part}b`]);
      expect(first.data[0]?.template).toEqual(['artifact']);
      expect(names((await page(`?search_by_name=${part}&page=2&per_page=2`)).data)).toEqual([`${part}c`]);
      expect(await page(`?search_by_name=${part}&page=99`)).toEqual({
        data: [],
        pagination: { page: 99, page_count: 1, total: 3 },
      });
      const lower = part.toLowerCase();
      expect(await all(`?search_by_name=${lower}`)).toEqual([]);
      expect(await all(`?search_by_name=${lower}&case_sensitive=true`)).toEqual([]);
      expect(await all(`?search_by_name=${lower}&case_sensitive=false&sort_direction=desc`)).toHaveLength(3);
    });

    it('can be filtered by tags, also by changed ones', async () => {
      const part = `${fresh('tagged')}-`;
      for (const end of ['a', 'b', 'c']) {
        await caller().expect(201, 'PUT', '/flows/acme', { json: { name: part + end } });
      }
      const ends = async (query: string) =>
        names(await all(`?search_by_name=${part}${query}`)).map((name) => name.slice(-1));
      await tag(`flow/${part}a`, { team: 'tea:green', tier: '1' });
      await tag(`flow/${part}b`, { team: 'shop' });
      expect(await ends('&tag=team')).toEqual(['a', 'b']);
      expect(await ends('&tag=team:tea:green')).toEqual(['a']);
      expect(await ends('&tag=team&tag=tier:1')).toEqual(['a']);
      expect(await ends('&tag=team:shop&tag=tier')).toEqual([]);
      expect(await ends('&tag=constructor')).toEqual([]);
      expect((await page(`?search_by_name=${part}&tag=team&page=1&per_page=1`)).pagination.total).toBe(2);
      await tag(`flow/${part}a`, { team: 'shop' });
      const json = { remove_tags: ['team'] };
      await caller().expect(200, 'PATCH', `/tags/acme/flow/${part}b`, { json });
      expect(await ends('&tag=team:shop')).toEqual(['a']);
      await put(`/flows/acme/${part}a/rename`, { new_name: `${part}d` });
      expect(await ends('&tag=team')).toEqual(['d']);
    });

    it('hides archived flows, shows revived ones, and follows renames', async () => {
      const [name, other] = [await flow(caller()), fresh('zz')];
      await put(`/flows/acme/${name}/archive`);
      expect(names(await all())).not.toContain(name);
      await caller().expect(200, 'PUT', '/flows/acme', { json: { name } });
      expect(names(await all())).toContain(name);
      await put(`/flows/acme/${name}/rename`, { new_name: other });
      expect(names(await all('?sort_direction=desc'))[0]).toBe(other);
      expect(names(await all())).not.toContain(name);
    });

    it('can be ordered by the latest activity, to which trails and artifacts belong', async () => {
      const flows = [await flow(caller()), await flow(caller()), await flow(caller())];
      const [a = '', b = '', c = ''] = flows;
      for (const name of [b, a]) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await post(caller(), name, artifact(digest(`order of ${name}`)));
      }
      const listed = names(await all('?sort=latest_activity')).filter((name) => flows.includes(name));
      expect(listed).toEqual([c, b, a]);
      expect(names(await all('?sort=latest_activity&sort_direction=desc')).slice(0, 3)).toEqual([a, b, c]);
    });

    it('names the wrong parameter', async () => {
      for (const [query, parameter] of [
        ['sort=colour', 'sort'],
        ['case_sensitive=maybe', 'case_sensitive'],
        ['name=x', 'name'],
      ] as const) {
        const { errors } = await caller().refused(400, 'GET', `/flows/acme?${query}`);
        expect(Object.keys(errors ?? {})).toEqual([parameter]);
      }
    });
  });

  it('lists repositories by their tags', async () => {
    const repo_info = repository();
    const flowName = await flow(caller());
    await post(caller(), flowName, artifact(digest(`repo of ${flowName}`), { repo_info }));
    await post(caller(), flowName, artifact(digest(`repo 2 of ${flowName}`), { repo_info: repository() }));
    const result = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(repo_info.name)}`);
    await tag(`repo/${result.repos[0]?.id}`, { team: 'shop' });
    for (const query of ['tag=team', 'tag=team:shop']) {
      expect(names((await caller().get<RepoPage>(`/repos/acme?${query}`)).repos)).toEqual([repo_info.name]);
    }
    expect(await caller().get<RepoPage>('/repos/acme?tag=team:tea')).toMatchObject({ repos: [], total_count: 0 });
  });
});
