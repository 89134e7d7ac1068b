import type { ControlAnswer, ControlCoverageAnswer, ControlPage } from '@assurance/contracts/policies/answers/control';
import type { Caller } from './support/caller';
import { environment, fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const unknown = (identifier: string) => ({ message: `Control '${identifier}' does not exist in organization 'acme'` });

onEveryDeployment((world) => {
  const caller = (): Caller => world().as('admin');
  const create = async (identifier = fresh('SDLC'), fields: object = {}) => {
    const json = { identifier, name: 'Code review', ...fields };
    expect(await caller().expect(201, 'POST', '/controls/acme', { json })).toMatchObject({ identifier, version: 1 });
    return identifier;
  };
  const get = (identifier: string) => caller().get<ControlAnswer>(`/controls/acme/${encodeURIComponent(identifier)}`);
  const put = (identifier: string, json: unknown) =>
    caller().expect<ControlAnswer>(200, 'PUT', `/controls/acme/${encodeURIComponent(identifier)}`, { json });
  const act = (identifier: string, what: 'archive' | 'unarchive') =>
    caller().expect<ControlAnswer>(200, 'POST', `/controls/acme/${encodeURIComponent(identifier)}/${what}`, {
      json: null,
    });
  const list = (query: string) => caller().get<ControlPage>(`/controls/acme?${query}`);
  const identifiers = async (query: string) => (await list(query)).controls.map(({ identifier }) => identifier);

  it('is created with the given fields as version 1', async () => {
    const identifier = await create(fresh('a._~-'), { description: 'Two pairs of eyes' });
    const before = Date.now() / 1000;
    const { created_at, ...rest } = await get(identifier);
    expect(rest).toEqual({
      identifier,
      name: 'Code review',
      description: 'Two pairs of eyes',
      version: 1,
      archived: false,
      created_by: 'ci-admin',
      tags: {},
      links: {},
      policies_referencing: [],
    });
    expect(Math.abs(created_at - before)).toBeLessThan(60);
  });

  it('is created once: later and simultaneous attempts get 409, also while it is archived', async () => {
    const identifier = fresh('SDLC');
    const json = { identifier, name: 'Code review' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => caller().send('POST', '/controls/acme', { json })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const exists = { message: `A control with identifier '${identifier}' already exists in organization 'acme'` };
    expect(await caller().refused(409, 'POST', '/controls/acme', { json })).toEqual(exists);
    await act(identifier, 'archive');
    expect(await caller().refused(409, 'POST', '/controls/acme', { json })).toEqual(exists);
  });

  it('names each wrong field', async () => {
    const { message, errors } = await caller().refused(400, 'POST', '/controls/acme', {
      json: { identifier: ' a' },
    });
    expect(message).toBe('Input payload validation failed');
    expect(errors).toEqual({
      identifier: expect.stringContaining('String should match pattern') as string,
      name: 'Field required',
    });
  });

  it('says the pattern of identifiers, which existing controls need not match', async () => {
    const json = { identifier: 'bad identifier', name: 'x' };
    expect(await caller().refused(400, 'POST', '/controls/acme', { json })).toEqual({
      message: 'Input payload validation failed',
      errors: { identifier: "String should match pattern '^[a-zA-Z0-9\\-._~]+$' [input: bad identifier]" },
    });
  });

  it.each(['', ' a', 'a ', 'a b', 'a/b', 'ä', 'a\nb', 'a\u0000b', '.', '..', 'tags', 'a'.repeat(513)])(
    'is not created as %j, which a path cannot name or which names a route',
    async (identifier) => {
      const json = { identifier, name: 'x' };
      const { errors } = await caller().refused(400, 'POST', '/controls/acme', { json });
      expect(Object.keys(errors ?? {})).toEqual(['identifier']);
    },
  );

  it.each(['SDLC-7', '.a~b_c.', 'tags.', '-', 'x'.repeat(450)])('may be called %s', async (text) => {
    const identifier = await create(fresh(text), { name: 'Review' });
    expect(await get(identifier)).toMatchObject({ identifier, name: 'Review' });
    expect(await put(identifier, { name: 'Again' })).toMatchObject({ identifier, version: 2 });
    expect(await act(identifier, 'archive')).toMatchObject({ identifier, archived: true });
    expect(await act(identifier, 'unarchive')).toMatchObject({ identifier, archived: false });
    const of = (rest: string) => `/controls/acme/${encodeURIComponent(identifier)}/${rest}`;
    expect(await caller().get(of('versions/2'))).toMatchObject({ identifier, name: 'Again' });
    expect(await caller().get(of('coverage'))).toMatchObject({ covered: 0 });
    const tags = `/tags/acme/control/${encodeURIComponent(identifier)}`;
    await caller().expect(200, 'PATCH', tags, { json: { set_tags: { team: 'shop' } } });
    expect(await get(identifier)).toMatchObject({ tags: { team: 'shop' } });
  });

  it('answers each write with the object that the next read gives, with the links of its creation', async () => {
    const json = {
      identifier: fresh('SDLC'),
      name: 'Code review',
      description: null,
      links: { wiki: 'https://wiki.example.com' },
    };
    const answer = await caller().expect<ControlAnswer>(201, 'POST', '/controls/acme', { json });
    expect(answer).toMatchObject({ links: json.links, description: '', archived: false, version: 1 });
    expect(await get(json.identifier)).toEqual(answer);
    for (const write of [
      () => put(json.identifier, { name: 'Review', description: '', links: {} }),
      () => put(json.identifier, {}),
      () => act(json.identifier, 'archive'),
      () => act(json.identifier, 'unarchive'),
    ]) {
      expect(await write()).toEqual(await get(json.identifier));
    }
    expect(await get(json.identifier)).toMatchObject({ links: {}, version: 2 });
  });

  it('gets a version for each change of name, description or links, and for nothing else', async () => {
    const identifier = await create();
    const links = { wiki: 'https://wiki.example.com/review' };
    expect(await put(identifier, { name: 'Review' })).toMatchObject({ name: 'Review', version: 2 });
    await put(identifier, { description: 'Two pairs of eyes', links });
    expect(await get(identifier)).toMatchObject({
      name: 'Review',
      description: 'Two pairs of eyes',
      links,
      version: 3,
    });
    await put(identifier, { name: 'Review', links, description: null });
    await put(identifier, {});
    await act(identifier, 'archive');
    await act(identifier, 'archive');
    expect(await get(identifier)).toMatchObject({ version: 3, archived: true });
    await act(identifier, 'unarchive');
    await put(identifier, { links: {} });
    expect(await get(identifier)).toMatchObject({ version: 4, archived: false, links: {} });
  });

  it('accepts only web addresses as links', async () => {
    const identifier = await create();
    const links = { a: 'javascript:alert(1)', '': 'https://example.com', n: 1 };
    const { errors } = await caller().refused(400, 'PUT', `/controls/acme/${identifier}`, { json: { links } });
    expect(Object.keys(errors ?? {}).sort()).toEqual(['links', 'links.a', 'links.n']);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'https://example.com']));
    await caller().refused(400, 'PUT', `/controls/acme/${identifier}`, { json: { links: many } });
    expect(await get(identifier)).toMatchObject({ version: 1, links: {} });
  });

  it('can be tagged without a new version', async () => {
    const identifier = await create();
    const tag = (type: string, id: string, json: object) => ['PATCH', `/tags/acme/${type}/${id}`, { json }] as const;
    await caller().expect(200, ...tag('control', identifier, { set_tags: { team: 'shop', tier: '1' } }));
    await world()
      .as('member')
      .expect(200, ...tag('controls', identifier, { remove_tags: ['tier'] }));
    expect(await get(identifier)).toMatchObject({ tags: { team: 'shop' }, version: 1 });
    expect(await caller().refused(404, ...tag('control', 'nothing', { set_tags: { a: 'b' } }))).toEqual(
      unknown('nothing'),
    );
  });

  it('answers 404 if nobody created it', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['POST', '/archive'],
      ['POST', '/unarchive'],
    ] as const) {
      const sent = method === 'GET' ? {} : { json: method === 'PUT' ? { name: 'x' } : null };
      expect(await caller().refused(404, method, `/controls/acme/no%20such${path}`, sent)).toEqual(unknown('no such'));
    }
  });

  it('can be listed by identifier, text, tags and archived state', async () => {
    const mark = fresh('zz');
    const [b, a, c] = [
      await create(`${mark}-b`),
      await create(`${mark}-a`),
      await create(`${mark}-c`, { name: 'ODD' }),
    ];
    await caller().expect(200, 'PATCH', `/tags/acme/control/${a}`, { json: { set_tags: { team: mark } } });
    expect(await identifiers(`search=${mark.toUpperCase()}`)).toEqual([a, b, c]);
    expect(await identifiers(`search=${mark}&sort_direction=desc`)).toEqual([c, b, a]);
    expect(await identifiers(`search=odd&tag=none`)).toEqual([]);
    expect(await identifiers(`tag=team:${mark}`)).toEqual([a]);
    expect(await identifiers(`search=${mark}&per_page=2&page=2`)).toEqual([c]);
    const { controls, ...page } = await list(`search=${mark}&per_page=2`);
    expect([controls.length, page]).toEqual([2, { page: 1, per_page: 2, total_pages: 2, total_count: 3 }]);
    await act(b, 'archive');
    expect(await identifiers(`search=${mark}`)).toEqual([a, c]);
    expect(await identifiers(`search=${mark}&archived=true`)).toEqual([b]);
    expect(await identifiers('per_page=50')).not.toContain(b);
  });

  it('is referenced by policies, and covers the environments to which they are attached', async () => {
    const [identifier, mark] = [await create(), fresh('covered')];
    const policy = async (name: string, query: string) => {
      const form = new FormData();
      form.set('payload', JSON.stringify({ name, description: '', comment: '', type: 'env' }));
      const rule = `{type: decision, for_control: ${query}}`;
      const yaml = `_schema: https://example.com/schemas/policy/v1\nartifacts:\n  attestations: [${rule}]\n`;
      form.set('policy_file', new Blob([yaml]), 'policy.yml');
      await caller().send('PUT', '/policies/acme', { form });
    };
    const [policyName, otherPolicy] = [fresh('policy'), fresh('policy')];
    await policy(policyName, identifier);
    await policy(otherPolicy, await create());
    expect(await get(identifier)).toMatchObject({ policies_referencing: [policyName] });

    const [a, b] = [`${mark}-a`, `${mark}-b`];
    for (const name of [a, b]) {
      await caller().expect(201, 'PUT', '/environments/acme', { json: { name, type: 'docker' } });
    }
    await environment(caller(), { type: 'logical' });
    const attach = (method: string, env: string, ...policy_names: string[]) =>
      caller().expect(200, method, `/environments/acme/${env}/policies`, { json: { policy_names } });
    await attach('POST', a, policyName, otherPolicy);
    await attach('POST', b, otherPolicy);
    const coverage = (query = '') =>
      caller().get<ControlCoverageAnswer>(`/controls/acme/${identifier}/coverage?name=${mark.toUpperCase()}${query}`);
    const whole = await coverage();
    expect([whole.covered, whole.total_count, whole.total]).toEqual([1, 2, 2]);
    expect([whole.coverage_percent, whole.total_pages]).toEqual([50, 1]);
    const [inA, inB] = [
      { name: a, type: 'docker', covered: true, policies: [policyName] },
      { name: b, type: 'docker', covered: false, policies: [] },
    ];
    expect(whole.environments).toEqual([inA, inB]);
    expect((await coverage('&covered=true')).environments).toEqual([inA]);
    expect(await coverage('&covered=false')).toMatchObject({ total_count: 1, environments: [inB] });
    expect(await coverage('&per_page=1&page=2')).toMatchObject({ total_pages: 2, environments: [inB] });
    await attach('DELETE', a, policyName);
    expect(await coverage()).toMatchObject({ covered: 0, coverage_percent: 0, total_count: 2 });
    await attach('POST', a, policyName);
    await policy(policyName, await create());
    expect(await coverage()).toMatchObject({ covered: 0 });
    expect(await get(identifier)).toMatchObject({ policies_referencing: [] });
    expect(await caller().refused(404, 'GET', '/controls/acme/nothing/coverage')).toEqual(unknown('nothing'));
  });

  it('belongs to one organization, and only administrators change it', async () => {
    const identifier = await create();
    await world().as('reader').get(`/controls/acme/${identifier}`);
    for (const role of ['member', 'snapshotter', 'reader'] as const) {
      const json = { identifier: fresh('SDLC'), name: 'x' };
      await world().as(role).refused(403, 'POST', '/controls/acme', { json });
      await world().as(role).refused(403, 'PUT', `/controls/acme/${identifier}`, { json });
    }
  });
});
