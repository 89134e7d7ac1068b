import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import type { Caller } from './support/caller';
import { OTHER_KEY } from './support/declared';
import {
  artifact,
  CREATED,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  post,
  report,
  repository,
} from './support/samples';
import { onOwnServices } from './support/world';

const unknownEnvironment = (name: string) => ({
  message: `Environment named '${name}' does not exist for organization 'acme'`,
});
const archivedEnvironment = (name: string) => ({ message: `Environment named '${name}' has been archived` });
const unknownFlow = (name: string) => ({ message: `Flow named '${name}' does not exist for organization 'acme'` });

onOwnServices((world) => {
  const caller = (): Caller => world().as('member');
  const env = (name: string) => caller().get<EnvironmentAnswer>(`/environments/acme/${name}`);
  const envPath = (name: string, act: string) => `/environments/acme/${name}${act}`;
  const put = (path: string, json: unknown = null) => caller().expect<string>(200, 'PUT', path, { json });
  const create = (name: string, status: number) =>
    caller().expect(status, 'PUT', '/environments/acme', { json: { name, type: 'docker' } });
  const rename = (name: string, new_name: string) => put(envPath(name, '/rename'), { new_name });

  describe('patching an environment', () => {
    const patch = (name: string, json: unknown) => caller().expect<string>(200, 'PATCH', envPath(name, ''), { json });

    it('changes only the given fields; an empty description clears the description', async () => {
      const name = await environment(caller(), { description: 'Customers', require_provenance: true });
      expect(await patch(name, { include_scaling: true })).toBe('OK');
      expect(await env(name)).toMatchObject({ description: 'Customers', include_scaling: true });
      await patch(name, { description: '', include_scaling: null });
      expect(await env(name)).toMatchObject({ description: '', include_scaling: true, require_provenance: true });
      const before = await env(name);
      await patch(name, {});
      expect(await env(name)).toEqual(before);
    });

    it('replaces the members of a logical environment, and ignores members on physical ones', async () => {
      const [a, b] = [await environment(caller()), await environment(caller())];
      const all = await environment(caller(), { type: 'logical', included_environments: [a] });
      await patch(all, { included_environments: [b] });
      expect(await env(all)).toMatchObject({ included_environments: [b] });
      await patch(a, { included_environments: [b] });
      expect(await env(a)).toMatchObject({ included_environments: null });
      const error = await caller().refused(400, 'PATCH', envPath(all, ''), {
        json: { included_environments: ['no-1'] },
      });
      expect(error.errors).toEqual({ included_environments: "Environment 'no-1' does not exist" });
    });

    it('refuses values that are no text or no flag', async () => {
      const name = await environment(caller());
      const json = { description: 1, include_scaling: 'yes' };
      const { errors } = await caller().refused(400, 'PATCH', envPath(name, ''), { json });
      expect(Object.keys(errors ?? {})).toEqual(['description', 'include_scaling']);
    });
  });

  describe('archiving an environment', () => {
    it('makes the environment answer 404 with a specific text; archiving it again answers 200', async () => {
      const name = await environment(caller());
      expect(await put(envPath(name, '/archive'))).toBe('OK');
      expect(await caller().expect<string>(200, 'PUT', envPath(name, '/archive'))).toBe('OK');
      expect(await caller().refused(404, 'GET', envPath(name, ''))).toEqual(archivedEnvironment(name));
      const json = { artifacts: [] };
      for (const [method, path, sent] of [
        ['PUT', envPath(name, '/report/docker'), { json }],
        ['PATCH', envPath(name, ''), { json: { description: 'x' } }],
        ['PUT', envPath(name, '/rename'), { json: { new_name: fresh('env') } }],
        ['PATCH', `/tags/acme/env/${name}`, { json: { set_tags: { a: 'b' } } }],
        ['GET', `/snapshots/acme/${name}`, {}],
      ] as const) {
        expect(await caller().refused(404, method, path, sent)).toEqual(archivedEnvironment(name));
      }
    });

    it('is undone by a put of its name, which restores snapshots and settings', async () => {
      const name = await environment(caller(), { description: 'Customers' });
      await report(caller(), name, [item({ 'a:1': digest('revived') })]);
      await put(envPath(name, '/archive'));
      await create(name, 200);
      expect(await env(name)).toMatchObject({ description: 'Customers', type: 'docker' });
      expect(await report(caller(), name, [item({ 'a:2': digest('revived 2') })])).toBe(CREATED(2));
    });

    it('names the environment that does not exist', async () => {
      expect(await caller().refused(404, 'PUT', envPath('nowhere', '/archive'), { json: null })).toEqual(
        unknownEnvironment('nowhere'),
      );
    });
  });

  describe('renaming an environment', () => {
    it('keeps the old name until another one takes it', async () => {
      const [old, name] = [await environment(caller(), { description: 'Customers' }), fresh('env')];
      await report(caller(), old, [item({ 'a:1': digest('renamed') })]);
      expect(await rename(old, name)).toBe('OK');
      for (const called of [old, name]) expect(await env(called)).toMatchObject({ name, description: 'Customers' });
      expect(await report(caller(), old, [item({ 'a:2': digest('renamed 2') })])).toBe(CREATED(2));
      await create(old, 201);
      expect(await env(old)).toMatchObject({ name: old, description: '' });
      expect(await env(name)).toMatchObject({ name, description: 'Customers' });
      expect(await report(caller(), name, [item({ 'a:3': digest('renamed 3') })])).toBe(CREATED(3));
      expect(await report(caller(), old, [item({ 'a:3': digest('renamed 3') })])).toBe(CREATED(1));
    });

    it('can be undone, and changes nothing if the name is equal', async () => {
      const [first, second] = [await environment(caller()), fresh('env')];
      await rename(first, second);
      const before = await env(second);
      await rename(second, second);
      expect(await env(second)).toEqual(before);
      await rename(second, first);
      for (const called of [first, second]) expect(await env(called)).toMatchObject({ name: first });
      await create(first, 200);
      await create(second, 201);
    });

    it('refuses the name of another with a 4xx that clients do not repeat; an alias of another is free', async () => {
      const [firstEnv, secondEnv, name] = [await environment(caller()), await environment(caller()), fresh('env')];
      const error = await caller().refused(400, 'PUT', envPath(firstEnv, '/rename'), { json: { new_name: secondEnv } });
      expect(Object.keys(error.errors ?? {})).toEqual(['new_name']);
      expect(await env(firstEnv)).toMatchObject({ name: firstEnv });
      await rename(secondEnv, name);
      await rename(firstEnv, secondEnv);
      expect(await env(secondEnv)).toMatchObject({ name: secondEnv });
      expect(await env(firstEnv)).toMatchObject({ name: secondEnv });
      expect(await env(name)).toMatchObject({ name });
    });

    it('names the pattern, and the environment that does not exist', async () => {
      const name = await environment(caller());
      expect(
        await caller().refused(400, 'PUT', envPath(name, '/rename'), { json: { new_name: 'new illegal name' } }),
      ).toEqual({
        message: 'Input payload validation failed',
        errors: {
          new_name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$' [input: new illegal name]",
        },
      });
      expect(
        await caller().refused(404, 'PUT', envPath('nowhere', '/rename'), { json: { new_name: fresh('env') } }),
      ).toEqual(unknownEnvironment('nowhere'));
    });

    it('gives a name to one of many simultaneous requests', async () => {
      const [a, b, name] = [await environment(caller()), await environment(caller()), fresh('env')];
      const json = { new_name: name };
      const answers = await Promise.all([
        caller().send('PUT', envPath(a, '/rename'), { json }),
        caller().send('PUT', envPath(b, '/rename'), { json }),
        caller().send('PUT', '/environments/acme', { json: { name, type: 'docker' } }),
      ]);
      const statuses = answers.map(({ status }) => status);
      const holders = [a, b].filter((_, i) => statuses[i] === 200).length + (statuses[2] === 201 ? 1 : 0);
      expect([holders, statuses.every((status) => [200, 201, 400].includes(status))]).toEqual([1, true]);
      const present = await Promise.all([a, b].map(async (called) => (await env(called)).name));
      expect(present.filter((called) => called === name)).toHaveLength(statuses[2] === 201 ? 0 : 1);
      expect(await env(name)).toMatchObject({ name });
    });

    it('orders deployments by current names, and shows these', async () => {
      const [first, second] = [await environment(caller()), await environment(caller())];
      const at = Math.floor(Date.now() / 1000) - 3 * 24 * 3600;
      for (const name of [first, second]) {
        await report(caller(), name, [item({ 'tie:1': digest(`tie in ${first}`) }, at)]);
      }
      const listed = async () => {
        const window = `start_ts=${at}&end_ts=${at}`;
        const { deployments } = await caller().get<OrgDeploymentPage>(`/deployments/acme?${window}`);
        return deployments.map(({ env_name }) => env_name);
      };
      expect(await listed()).toEqual([first, second].sort());
      const last = `z-${first}`;
      await rename(first, last);
      expect(await listed()).toEqual([second, last]);
      await rename(last, first);
      expect(await listed()).toEqual([first, second].sort());
    });
  });

  describe('archiving and renaming a flow', () => {
    const act = (name: string, what: string) => `/flows/acme/${name}/${what}`;
    const get = (name: string) => caller().get<FlowAnswer>(`/flows/acme/${name}`);

    it('archives once: reads work, new artifacts are refused, a put of the name restores it', async () => {
      const name = await flow(caller());
      const fingerprint = digest(`kept in ${name}`);
      await post(caller(), name, artifact(fingerprint));
      expect(await put(act(name, 'archive'))).toBe('OK');
      const before = await get(name);
      // Without a body too, not even null.
      expect(await caller().expect(200, 'PUT', act(name, 'archive'))).toBe('OK');
      expect(await get(name)).toEqual(before);
      const json = artifact(digest(`late for ${name}`));
      expect((await caller().refused(400, 'POST', `/artifacts/acme/${name}`, { json })).message).toContain(
        `'${name}' has been archived`,
      );
      await caller().expect(200, 'PUT', '/flows/acme/template_file', { form: flowForm({ name }) });
      await post(caller(), name, json);
      expect(await get(name)).toMatchObject({ id: before.id });
    });

    it('archives nothing for an unknown name: a later flow of that name is not archived', async () => {
      const name = fresh('flow');
      for (let time = 0; time < 2; time += 1) {
        expect(await caller().refused(404, 'PUT', act(name, 'archive'))).toEqual({ message: 'Flow not found' });
        expect(await caller().refused(404, 'GET', `/flows/acme/${name}`)).toEqual(unknownFlow(name));
      }
      await caller().expect(201, 'PUT', '/flows/acme', { json: { name, template: ['artifact'] } });
      expect((await caller().get<FlowAnswer[]>('/flows/acme')).map((flowAnswer) => flowAnswer.name)).toContain(name);
      await post(caller(), name, artifact(digest(`made as ${name}`)));
    });

    it('reports an unknown flow with the documented text of each route', async () => {
      expect(await caller().refused(404, 'PUT', act('nothing', 'archive'), { json: null })).toEqual({
        message: 'Flow not found',
      });
      expect(
        await caller().refused(404, 'PUT', act('nothing', 'rename'), { json: { new_name: fresh('flow') } }),
      ).toEqual(unknownFlow('nothing'));
    });

    it('keeps the old name until another one takes it', async () => {
      const [old, name] = [await flow(caller()), fresh('flow~')];
      const { id } = await get(old);
      await put(act(old, 'rename'), { new_name: name });
      for (const called of [old, name]) expect(await get(called)).toMatchObject({ id, name });
      await caller().expect(201, 'PUT', '/flows/acme', { json: { name: old, template: ['artifact'] } });
      expect((await get(old)).id).not.toBe(id);
      expect(await get(name)).toMatchObject({ id });
      const answer = await caller().refused(400, 'PUT', act(name, 'rename'), { json: { new_name: old } });
      expect(Object.keys(answer.errors ?? {})).toEqual(['new_name']);
      const illegal = await caller().refused(400, 'PUT', act(name, 'rename'), { json: { new_name: 'a b' } });
      expect(illegal.errors).toEqual({
        new_name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: a b]",
      });
    });
  });

  describe('tags', () => {
    const tag = (path: string, json: unknown) => caller().expect<string>(200, 'PATCH', `/tags/acme/${path}`, { json });

    it('are set and removed one by one, on environments, flows and repositories', async () => {
      const flowName = await flow(caller());
      const input = repository();
      await post(caller(), flowName, artifact(digest(`tags of ${flowName}`), { repo_info: input }));
      const repos = `/repos/acme?name=${encodeURIComponent(input.name)}`;
      const { id } = (await caller().get<RepoPage>(repos)).repos[0] ?? { id: '' };
      const name = await environment(caller());
      const cases = [
        [['env', 'environment', 'environments'], name, async () => (await env(name)).tags],
        [['flow', 'flows'], flowName, async () => (await caller().get<FlowAnswer>(`/flows/acme/${flowName}`)).tags],
        [['repo', 'repos'], id, async () => (await caller().get<RepoPage>(repos)).repos[0]?.tags],
      ] as const;
      for (const [types, resource, tags] of cases) {
        expect(await tag(`${types[0]}/${resource}`, { set_tags: { team: 'shop', 'a.b-c_d~': '' } })).toBe('OK');
        expect(await tags()).toEqual({ team: 'shop', 'a.b-c_d~': '' });
        await tag(`${types[1]}/${resource}`, { set_tags: { team: 'tea' }, remove_tags: ['a.b-c_d~', 'absent'] });
        expect(await tags()).toEqual({ team: 'tea' });
        await tag(`${types.at(-1)}/${resource}`, { set_tags: null, remove_tags: null });
        await tag(`${types[0]}/${resource}`, { set_tags: { constructor: 'x' }, remove_tags: ['team', 'constructor'] });
        expect(await tags()).toEqual({ constructor: 'x' });
      }
    });

    it('require keys of one pattern and text values', async () => {
      const name = await environment(caller());
      const json = { set_tags: { '-a': 'x', 'a b': 'y', n: 1 } };
      const { errors } = await caller().refused(400, 'PATCH', `/tags/acme/env/${name}`, { json });
      expect(Object.keys(errors ?? {}).sort()).toEqual(['set_tags.-a', 'set_tags.a b', 'set_tags.n']);
      expect(errors?.['set_tags.a b']).toBe(
        "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~]*$' [input: a b]",
      );
    });

    it('are limited to fifty', async () => {
      const name = await environment(caller());
      const many = (from: number, to: number) =>
        Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`k${from + i}`, 'v']));
      await tag(`env/${name}`, { set_tags: many(0, 50) });
      const { errors } = await caller().refused(400, 'PATCH', `/tags/acme/env/${name}`, {
        json: { set_tags: many(50, 51) },
      });
      expect(errors?.['set_tags']).toMatch(/50 tags .*would be 51 .*\. Remove some/);
      await tag(`env/${name}`, { set_tags: many(50, 51), remove_tags: ['k0'] });
      expect(Object.keys((await env(name)).tags)).toHaveLength(50);
    });

    it('name what does not exist, and reveal nothing of other organizations', async () => {
      const json = { set_tags: { a: 'b' } };
      const refused = (path: string, status = 404) => caller().refused(status, 'PATCH', `/tags/acme/${path}`, { json });
      expect(await refused('env/nowhere')).toEqual(unknownEnvironment('nowhere'));
      expect(await refused('flows/nothing')).toEqual(unknownFlow('nothing'));
      expect(await refused('repo/none')).toEqual({ message: "Repo 'none' not found" });
      expect(Object.keys((await refused('widget/x', 400)).errors ?? {})).toEqual(['resource_type']);
      const stranger = world().withHeader(`Bearer ${OTHER_KEY}`);
      await stranger.expect(201, 'PUT', '/flows/other', { json: { name: 'theirs', template: ['artifact'] } });
      const repo_info = repository();
      await stranger.expect(201, 'POST', '/artifacts/other/theirs', {
        json: artifact(digest('theirs'), { repo_info }),
      });
      const { id } = (await stranger.get<RepoPage>('/repos/other')).repos[0] ?? { id: '' };
      expect(id).not.toBe('');
      expect(await refused(`repo/${id}`)).toEqual({ message: `Repo '${id}' not found` });
    });
  });
});
