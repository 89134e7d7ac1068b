import type { SpaceAnswer, SpacePage } from '@assurance/contracts/access/answers/space';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import type { FlowAnswer } from '@assurance/contracts/flows/answers/flow';
import type { Caller } from './support/caller';
import { environment, flow, flowForm, fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const UNKNOWN = '018bcfe5-6800-7000-8000-00000000abcd';
const unknown = (id: string) => ({ message: `Space '${id}' does not exist in organization 'acme'` });

onEveryDeployment((world) => {
  const caller = (): Caller => world().as('admin');
  const create = async (name = fresh('space'), parent_id?: string) =>
    (await caller().expect<{ id: string }>(201, 'PUT', '/spaces/acme', { json: { name, parent_id } })).id;
  const get = (id: string) => caller().get<SpaceAnswer>(`/spaces/acme/${id}`);
  const put = (path: string, json: unknown) => caller().expect<string>(200, 'PUT', path, { json });
  const rename = (id: string, new_name: string) => put(`/spaces/acme/${id}/rename`, { new_name });
  const move = (id: string, parent_id: string) => put(`/spaces/acme/${id}/move`, { parent_id });
  const archive = (id: string) => put(`/spaces/acme/${id}/archive`, null);
  const refused = (path: string, json: unknown) => caller().refused(400, 'PUT', path, { json });
  const list = (query: string) => caller().get<SpacePage>(`/spaces/acme?${query}`);
  const ids = async (query: string) => (await list(query)).spaces.map(({ id }) => id);
  const spaceOfEnv = async (env: string) =>
    (await caller().get<EnvironmentAnswer>(`/environments/acme/${env}`)).space_id;
  const spaceOfFlow = async (name: string) => (await caller().get<FlowAnswer>(`/flows/acme/${name}`)).space_id;

  it('is created in the root or in another space, once', async () => {
    const [outer, inner] = [fresh('Platform team'), fresh('Zahlungen')];
    const json = { name: outer };
    const answer = await caller().expect<{ id: string }>(201, 'PUT', '/spaces/acme', { json });
    expect(answer).toEqual({ id: answer.id, name: outer, parent_id: 'root' });
    expect(await put('/spaces/acme', { ...json, parent_id: null })).toEqual(answer);
    const id = await create(inner, answer.id);
    const { created_at, last_modified_at, ...rest } = await get(id);
    expect(rest).toEqual({
      id,
      name: inner,
      parent_id: answer.id,
      path: [outer, inner],
      archived: false,
      created_by: 'ci-admin',
    });
    expect(created_at).toBe(last_modified_at);
    expect(await create(inner)).not.toBe(id);
  });

  it('is created once by simultaneous requests', async () => {
    const json = { name: fresh('space') };
    const answers = await Promise.all(Array.from({ length: 5 }, () => caller().send('PUT', '/spaces/acme', { json })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('names each wrong field', async () => {
    for (const name of [' space', 'space ', '\n', '', 'x'.repeat(101), 7, null]) {
      expect(Object.keys((await refused('/spaces/acme', { name })).errors ?? {})).toEqual(['name']);
    }
    const { errors } = await refused('/spaces/acme', { name: 'a', parent_id: UNKNOWN });
    expect(errors).toEqual({ parent_id: `There is no space with this id, or it is archived [input: ${UNKNOWN}]` });
  });

  it('can be renamed, but not to the name of a sibling', async () => {
    const [a, name] = [await create(), fresh('name')];
    await create(name);
    expect(await refused(`/spaces/acme/${a}/rename`, { new_name: name })).toMatchObject({
      errors: { new_name: `Another space of the same parent has the name '${name}' already` },
    });
    const other = fresh('name');
    expect(await rename(a, other)).toBe('OK');
    expect(await rename(a, other)).toBe('OK');
    expect(await get(a)).toMatchObject({ name: other, path: [other] });
  });

  it('moves with its content, and never into itself', async () => {
    const [a, b] = [await create(), await create()];
    const c = await create(fresh('space'), a);
    expect(await move(a, b)).toBe('OK');
    const names = await Promise.all([b, a, c].map(async (id) => (await get(id)).name));
    expect((await get(c)).path).toEqual(names);
    for (const id of [a, c]) {
      expect(await refused(`/spaces/acme/${a}/move`, { parent_id: id })).toMatchObject({
        errors: { parent_id: `This is the space itself, or inside it [input: ${id}]` },
      });
    }
    await move(c, 'root');
    expect((await get(c)).path).toEqual(names.slice(-1));
  });

  it('never forms a circle when two spaces move into each other at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await create(), await create()];
      const swapped = [
        [a, b],
        [b, a],
      ] as const;
      const answers = await Promise.all(
        swapped.map(([id, parent_id]) => caller().send('PUT', `/spaces/acme/${id}/move`, { json: { parent_id } })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect([(await get(a)).path.length, (await get(b)).path.length].sort()).toEqual([1, 2]);
    }
  });

  it('is at most ten deep', async () => {
    let id = 'root';
    for (let level = 1; level <= 10; level += 1) id = await create(fresh('level'), id);
    const errors = { parent_id: 'Spaces are at most 10 deep' };
    expect((await refused('/spaces/acme', { name: 'deeper', parent_id: id })).errors).toEqual(errors);
    expect((await refused(`/spaces/acme/${await create()}/move`, { parent_id: id })).errors).toEqual(errors);
  });

  it('can be archived if it is empty, and restored by its name', async () => {
    const [name, env, shop] = [fresh('space'), await environment(caller()), await flow(caller())];
    const id = await create(name);
    const inner = await create(fresh('space'), id);
    await put(`/environments/acme/${env}/move`, { space_id: id });
    await put(`/flows/acme/${shop}/move`, { space_id: id });
    const holds = (what: string) => ({
      message: `Space '${name}' is not empty: it holds ${what}. Move or archive them first`,
    });
    expect(await refused(`/spaces/acme/${id}/archive`, null)).toEqual(holds('1 space, 1 environment and 1 flow'));
    await archive(inner);
    expect(await refused(`/spaces/acme/${id}/archive`, null)).toEqual(holds('0 spaces, 1 environment and 1 flow'));
    await put(`/environments/acme/${env}/archive`, null);
    await put(`/flows/acme/${shop}/move`, { space_id: 'root' });
    expect(await archive(id)).toBe('OK');
    expect(await archive(id)).toBe('OK');
    expect(await get(id)).toMatchObject({ archived: true });
    expect(await ids(`search=${name}`)).toEqual([]);
    expect(await ids(`search=${name}&archived=true`)).toEqual([id]);
    const refusal = { message: `Space '${id}' has been archived` };
    const renaming = ['PUT', `/spaces/acme/${id}/rename`, { json: { new_name: 'x' } }] as const;
    expect(await caller().refused(404, ...renaming)).toEqual(refusal);

    // A thing that was archived in it and is restored appears in the nearest existing space.
    const again = { json: { name: env, type: 'docker', description: '' } };
    await caller().expect(200, 'PUT', '/environments/acme', again);
    expect(await spaceOfEnv(env)).toBe('root');
    expect((await caller().expect<{ id: string }>(200, 'PUT', '/spaces/acme', { json: { name } })).id).toBe(id);
    expect(await get(id)).toMatchObject({ archived: false });
    expect(await spaceOfEnv(env)).toBe(id);
  });

  it('contains environments and flows, which begin in the root', async () => {
    const mark = fresh('placed');
    const [a, b] = [await create(), await create()];
    for (const name of [`${mark}-1`, `${mark}-2`]) {
      await caller().expect(201, 'PUT', '/environments/acme', { json: { name, type: 'docker' } });
      await caller().expect(201, 'PUT', '/flows/acme/template_file', { form: flowForm({ name }) });
    }
    expect([await spaceOfEnv(`${mark}-1`), await spaceOfFlow(`${mark}-1`)]).toEqual(['root', 'root']);
    for (const what of ['environments', 'flows']) {
      expect(await put(`/${what}/acme/${mark}-1/move`, { space_id: a })).toBe('OK');
      expect(await put(`/${what}/acme/${mark}-1/move`, { space_id: a })).toBe('OK');
    }
    expect([await spaceOfEnv(`${mark}-1`), await spaceOfFlow(`${mark}-1`)]).toEqual([a, a]);

    type Rows = readonly { readonly name: string; readonly space_id: string }[];
    const spaceOf = async (path: string) =>
      (await caller().get<Rows>(path)).map(({ name, space_id }) => [name.slice(-1), space_id]);
    for (const path of [`/environments/acme?name=${mark}`, `/flows/acme?search_by_name=${mark}`]) {
      expect(await spaceOf(path)).toEqual([
        ['1', a],
        ['2', 'root'],
      ]);
      expect(await spaceOf(`${path}&space_id=${a}`)).toEqual([['1', a]]);
      expect(await spaceOf(`${path}&space_id=root`)).toEqual([['2', 'root']]);
      expect(await spaceOf(`${path}&space_id=${b}&space_id=${UNKNOWN}`)).toEqual([]);
      expect(await spaceOf(`${path}&space_id=root&space_id=${a}`)).toHaveLength(2);
    }
    await move(a, b);
    expect(await spaceOf(`/environments/acme?name=${mark}&space_id=${b}`)).toEqual([]);
    const page = `/flows/acme?search_by_name=${mark}&space_id=${a}&page=1`;
    expect(await caller().get(page)).toMatchObject({ pagination: { total: 1 } });
  });

  it('accepts existing environments and flows', async () => {
    const [env, shop, archived] = [await environment(caller()), await flow(caller()), await create()];
    await archive(archived);
    for (const space_id of [UNKNOWN, archived, '']) {
      const errors = { space_id: `There is no space with this id, or it is archived [input: ${space_id}]` };
      expect((await refused(`/environments/acme/${env}/move`, { space_id })).errors).toEqual(errors);
      expect((await refused(`/flows/acme/${shop}/move`, { space_id })).errors).toEqual(errors);
    }
    const nowhere = (path: string) => caller().refused(404, 'PUT', path, { json: { space_id: 'root' } });
    expect((await nowhere('/environments/acme/nothing/move')).message).toContain('does not exist');
    expect((await nowhere('/flows/acme/nothing/move')).message).toContain('does not exist');
  });

  it('is listed after its parent, in pages', async () => {
    const mark = fresh('tree');
    const [b, a] = [await create(`${mark}-b`), await create(`${mark}-a`)];
    const [inA, inB] = [await create(`${mark}-x`, a), await create(`${mark}-x`, b)];
    expect(await ids(`search=${mark.toUpperCase()}`)).toEqual([a, inA, b, inB]);
    expect(await ids(`parent_id=${a}`)).toEqual([inA]);
    expect(await ids(`parent_id=root&search=${mark}`)).toEqual([a, b]);
    expect(await ids('parent_id=nothing')).toEqual([]);
    const { spaces, ...page } = await list(`search=${mark}&per_page=3&page=2`);
    expect([spaces.map(({ id }) => id), page]).toEqual([
      [inB],
      { page: 2, per_page: 3, total_pages: 2, total_count: 4 },
    ]);
  });

  it('answers 404 if nobody created it, and for the root', async () => {
    for (const id of [UNKNOWN, 'root', 'no%20such']) {
      const request = unknown(decodeURIComponent(id));
      expect(await caller().refused(404, 'GET', `/spaces/acme/${id}`)).toEqual(request);
      for (const [path, json] of [
        ['rename', { new_name: 'x' }],
        ['move', { parent_id: 'root' }],
        ['archive', null],
      ] as const) {
        expect(await caller().refused(404, 'PUT', `/spaces/acme/${id}/${path}`, { json })).toEqual(request);
      }
    }
  });

  it('can be read by all members and changed by administrators only', async () => {
    const [id, env, shop] = [await create(), await environment(caller()), await flow(caller())];
    await world().as('reader').get(`/spaces/acme/${id}`);
    for (const role of ['member', 'snapshotter', 'reader'] as const) {
      for (const [path, json] of [
        ['/spaces/acme', { name: 'x' }],
        [`/spaces/acme/${id}/rename`, { new_name: 'x' }],
        [`/spaces/acme/${id}/move`, { parent_id: 'root' }],
        [`/spaces/acme/${id}/archive`, null],
        [`/environments/acme/${env}/move`, { space_id: id }],
        [`/flows/acme/${shop}/move`, { space_id: id }],
      ] as const) {
        await world().as(role).refused(403, 'PUT', path, { json });
      }
    }
  });
});
