import type { TrailAnswer, TrailListItem, TrailPage } from '@assurance/contracts/flows/answers/trail';
import type { Caller } from './support/caller';
import {
  artifact,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  post,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const TEMPLATE = `version: 1
trail:
  attestations:
    - name: bar
      type: generic
  artifacts:
    - name: cli
      attestations: [{ name: foo, type: junit }]
`;
const EMPTY = 'version: 1\n';
const MISSING = {
  attestation_id: null,
  overridden_attestation_id: null,
  status: 'MISSING',
  is_compliant: null,
  unexpected: false,
};
const BAR = { attestation_name: 'bar', attestation_type: 'generic', ...MISSING };
const FOO = { attestation_name: 'foo', attestation_type: 'junit', ...MISSING };

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const begin = (flowName: string, data: unknown, status = 201, yaml?: string, by: Caller = caller()) =>
    by.expect<string>(status, 'PUT', `/trails/acme/${flowName}`, { form: flowForm(data, yaml) });
  const get = (flowName: string, name: string) => caller().get<TrailAnswer>(`/trails/acme/${flowName}/${name}`);
  const list = (query: string) => caller().get<TrailPage>(`/trails/acme?${query}`);

  it('begins with the template of the flow and all its attestations missing', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    expect(await begin(flowName, { name: 'build-1', description: 'Tea' })).toBe('OK');
    const trail = await get(flowName, 'build-1');
    const evaluated = { evaluated_at: trail.created_at, flow_template_id: expect.any(String) as string };
    expect(trail).toEqual({
      name: 'build-1',
      description: 'Tea',
      flow: { name: flowName, tags: {} },
      git_commit_info: null,
      origin_url: null,
      user_data: {},
      repo_ids: [],
      external_urls: null,
      created_at: expect.any(Number),
      last_modified_at: trail.created_at,
      created_by: 'ci-member',
      html_url: expect.stringMatching(new RegExp(`^http://[^/]+/acme/flows/${flowName}/trails/build-1$`)),
      compliance_state: 'INCOMPLETE',
      is_compliant: false,
      compliance_status: {
        status: 'INCOMPLETE',
        is_compliant: false,
        attestations_statuses: [BAR],
        artifacts_statuses: {
          cli: {
            artifact_fingerprint: null,
            artifact_id: null,
            status: 'MISSING',
            is_compliant: false,
            attestations_statuses: [FOO],
            unexpected: false,
            ...evaluated,
          },
        },
        ...evaluated,
      },
      template: {
        version: 1,
        trail: {
          attestations: [{ name: 'bar', type: 'generic' }],
          artifacts: [{ name: 'cli', attestations: [{ name: 'foo', type: 'junit' }] }],
        },
        content: TEMPLATE,
      },
      events: [
        {
          type: 'trail_reported',
          timestamp: trail.created_at,
          org_id: expect.any(String),
          flow_id: expect.any(String),
          trail_id: expect.any(String),
          git_commit_info: null,
          repo_info: null,
          setting_user_id: expect.any(String),
          trail_data_json: expect.objectContaining({ name: 'build-1', description: 'Tea' }),
        },
      ],
    });
  });

  it('lists of each trail all but what lies in its commits, in pages or as a whole', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    for (const name of ['build-1', 'build-2', 'build-3']) await begin(flowName, { name, repo_info: repository() });
    const newest = [];
    for (const name of ['build-3', 'build-2', 'build-1']) {
      const {
        events: _e,
        git_commit_info: _g,
        origin_url: _o,
        user_data: _u,
        external_urls: _x,
        ...trailFields
      } = await get(flowName, name);
      newest.push({ ...trailFields, flow_name: flowName });
    }
    const { status, headers, body } = await caller().send('GET', `/trails/acme/${flowName}`);
    expect([status, headers.get('x-total-count'), headers.get('link')]).toEqual([200, null, null]);
    expect(body).toEqual(newest);
    expect(await caller().get(`/trails/acme/${flowName}?per_page=2&page=2`)).toEqual({
      data: newest.slice(2),
      pagination: { page: 2, per_page: 2, page_count: 2, total: 3 },
    });
    expect((await list(`flow=${flowName}`)).data).toEqual(newest);
    expect((await list(`flow=${flowName}`)).pagination).toEqual({ page: 1, per_page: 20, page_count: 1, total: 3 });
  });

  it('is compliant if nothing is required', async () => {
    const flowName = await flow(caller(), EMPTY);
    await begin(flowName, { name: 'build-1' });
    expect(await get(flowName, 'build-1')).toMatchObject({
      compliance_state: 'COMPLIANT',
      is_compliant: true,
      compliance_status: { attestations_statuses: [], artifacts_statuses: {} },
    });
  });

  it('stores all sent fields', async () => {
    const flowName = await flow(caller());
    const commit = sha1(flowName);
    const repo = repository();
    const git = { sha1: commit, message: 'Sell <tea>', author: 'Ada', timestamp: YESTERDAY, branch: 'main' };
    const data = {
      name: 'build-1',
      user_data: { nested: [1, 'x', null], 'a.b': true },
      git_commit_info: git,
      repo_info: { ...repo, namespace_path: ['acme'], additional_info: { x: 1 } },
      external_urls: { log: { href: 'https://x.example.com', fingerprint: digest('log') } },
      origin_url: 'https://ci.example.com/runs/7',
    };
    await begin(flowName, data);
    const trail = await get(flowName, 'build-1');
    expect(trail).toMatchObject({
      user_data: data.user_data,
      git_commit_info: { ...git, url: null },
      external_urls: data.external_urls,
      origin_url: data.origin_url,
    });
    const { repos } = await caller().get<{ repos: { id: string }[] }>(`/repos/acme?name=${repo.name}`);
    expect(trail.repo_ids).toEqual([repos[0]?.id]);
    expect(trail.events).toMatchObject([
      {
        git_commit_info: {
          ...git,
          url: null,
          author_username: null,
          parents: null,
          verified: null,
          signature_state: null,
        },
        repo_info: { inner_id: repos[0]?.id, repo_id: repo.id, name: repo.name, url: repo.url, provider: 'github' },
        trail_data_json: { user_data: JSON.stringify({ 'a.b': true, nested: [1, 'x', null] }) },
      },
    ]);
  });

  it('keeps omitted fields, adds no event for a repeated request, and lists changes', async () => {
    const flowName = await flow(caller());
    const data = { name: 'build-1', description: 'Tea', user_data: { a: 1 }, origin_url: 'https://ci.example.com/1' };
    await begin(flowName, data);
    const before = await get(flowName, 'build-1');
    await begin(flowName, data, 200);
    await begin(flowName, { name: 'build-1', user_data: null }, 200);
    expect(await get(flowName, 'build-1')).toEqual(before);
    await begin(flowName, { name: 'build-1', user_data: {}, description: 'Coffee' }, 200, TEMPLATE);
    const after = await get(flowName, 'build-1');
    expect(after).toMatchObject({ description: 'Coffee', user_data: {}, origin_url: data.origin_url });
    expect(after.events.map(({ type }) => type)).toEqual(['trail_reported', 'trail_updated']);
    expect(after.events[1]).toMatchObject({ changes: ['description', 'user_data', 'template'] });
    await begin(flowName, { name: 'build-1' }, 200, TEMPLATE);
    expect((await get(flowName, 'build-1')).events).toHaveLength(2);
  });

  it('can have its own template instead of the flow’s', async () => {
    const flowName = await flow(caller(), EMPTY);
    await begin(flowName, { name: 'build-1' }, 201, TEMPLATE);
    await begin(flowName, { name: 'build-2' });
    expect(await get(flowName, 'build-1')).toMatchObject({
      compliance_state: 'INCOMPLETE',
      template: { content: TEMPLATE },
    });
    expect(await get(flowName, 'build-2')).toMatchObject({ compliance_state: 'COMPLIANT' });
  });

  it('names each error of a template with its place', async () => {
    const flowName = await flow(caller());
    const form = () => flowForm({ name: 'build-1' }, 'version: 2\ntrail:\n  artifacts:\n    - {}\n');
    const error = await caller().refused(400, 'PUT', `/trails/acme/${flowName}`, { form: form() });
    expect(error).toEqual({
      message:
        '2 validation errors for Template\nversion: Input should be 1 [input: 2] (line 1, column 10)\ntrail.artifacts.0.name: Field required (line 4, column 7)',
    });
    await caller().refused(404, 'GET', `/trails/acme/${flowName}/build-1`);
  });

  it('shows the artifacts that were reported in it', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    await begin(flowName, { name: 'build-1' });
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint, { trail_name: 'build-1', template_reference_name: 'cli' }));
    await post(
      caller(),
      flowName,
      artifact(digest('odd'), { trail_name: 'build-1', template_reference_name: 'odd', repo_info: null }),
    );
    const trail = await get(flowName, 'build-1');
    expect(trail.compliance_status.artifacts_statuses).toMatchObject({
      cli: { artifact_fingerprint: fingerprint, status: 'INCOMPLETE', attestations_statuses: [FOO], unexpected: false },
      odd: { artifact_fingerprint: digest('odd'), status: 'COMPLIANT', attestations_statuses: [], unexpected: true },
    });
    expect(trail.events.slice(1)).toMatchObject([
      {
        type: 'artifact_creation_reported',
        artifact_name: 'shop/web:1',
        artifact_fingerprint: fingerprint,
        artifact_id: trail.compliance_status.artifacts_statuses['cli']?.artifact_id,
        template_reference_name: 'cli',
        git_commit: sha1(fingerprint),
        git_commit_info: { sha1: sha1(fingerprint), author_username: null },
        repo_info: { name: 'acme/shop', repo_id: '4711' },
      },
      { type: 'artifact_creation_reported', repo_info: null },
    ]);
  });

  it('shows where its artifacts ran, and no others', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint, { trail_name: 'build-1' }));
    await post(caller(), flowName, artifact(digest('another'), { trail_name: 'build-2' }));
    const env = await environment(caller());
    await report(caller(), env, [
      item({ web: fingerprint }),
      item({ web: fingerprint }),
      item({ x: digest('another') }),
    ]);
    await report(caller(), env, []);
    const { events } = await get(flowName, 'build-1');
    const ran = {
      artifact_fingerprint: fingerprint,
      artifact_name: 'web',
      template_reference_name: 'web',
      environment_id: expect.any(String) as string,
      environment_name: env,
      git_commit_info: null,
      repo_info: null,
    };
    expect(events.slice(2)).toEqual([
      expect.objectContaining({ type: 'artifact_started_running', snapshot_index: 1, replica_number: 2, ...ran }),
      expect.objectContaining({ type: 'artifact_stopped_running', snapshot_index: 2, ...ran }),
    ]);
  });

  it('exists after the report of an artifact, and can be completed', async () => {
    const flowName = await flow(caller());
    await post(caller(), flowName, artifact(digest(flowName), { trail_name: 'build-1' }));
    await begin(flowName, { name: 'build-1', description: 'Tea' }, 200);
    const trail = await get(flowName, 'build-1');
    expect(trail).toMatchObject({ description: 'Tea', git_commit_info: null });
    expect(trail.events.map(({ type }) => type)).toEqual([
      'trail_reported',
      'artifact_creation_reported',
      'trail_updated',
    ]);
  });

  it('stores large user data and messages', async () => {
    const flowName = await flow(caller());
    const user_data = { large: 'x'.repeat(250_000) };
    const message = 'é'.repeat(60_000);
    await begin(flowName, { name: 'build-1', user_data, git_commit_info: { sha1: sha1('x'), message } });
    const trail = await get(flowName, 'build-1');
    expect(trail.user_data).toEqual(user_data);
    expect(trail.git_commit_info?.message).toBe(message);
  });

  it.each([
    ['name', 'foo?$bar'],
    ['name', undefined],
    ['description', 7],
    ['external_urls', { log: { href: 'x', fingerprint: 'abc' } }],
    ['origin_url', {}],
  ])('refuses %s as %p', async (field, value) => {
    const flowName = await flow(caller());
    const form = flowForm({ name: 'build-1', [field]: value });
    const error = await caller().refused(400, 'PUT', `/trails/acme/${flowName}`, { form });
    expect(error.message).toMatch(/^Input payload validation failed: /);
    expect(Object.keys(error.errors ?? {}).join()).toContain(field);
    if (field === 'name' && value !== undefined) expect(JSON.stringify(error)).toContain('foo?$bar');
  });

  it('names the flow or trail that does not exist', async () => {
    const flowName = await flow(caller());
    const unknown = { message: "Flow named 'nothing' does not exist for organization 'acme'" };
    const form = () => flowForm({ name: 'build-1' });
    expect(await caller().refused(404, 'PUT', '/trails/acme/nothing', { form: form() })).toEqual(unknown);
    for (const path of ['/trails/acme/nothing', '/trails/acme/nothing/x', '/trails/acme?flow=nothing'])
      expect(await caller().refused(404, 'GET', path)).toEqual(unknown);
    expect(await caller().refused(404, 'GET', `/trails/acme/${flowName}/x`)).toEqual({
      message: `Trail with name 'x' does not exist for Organization 'acme' and Flow '${flowName}'`,
    });
  });

  it('lists trails in pages, newest first', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    expect(await list(`flow=${flowName}`)).toEqual({
      data: [],
      pagination: { page: 1, per_page: 20, page_count: 0, total: 0 },
    });
    for (const name of ['a', 'b', 'c']) await begin(flowName, { name, description: name });
    const names = ({ data }: TrailPage) => data.map(({ name }) => name);
    const first = await list(`flow=${flowName}&per_page=2&page=1`);
    expect(first.pagination).toEqual({ page: 1, per_page: 2, page_count: 2, total: 3 });
    expect(first.data[0]).toMatchObject({ description: first.data[0]?.name, compliance_state: 'INCOMPLETE' });
    const second = await list(`flow=${flowName}&per_page=2&page=2`);
    expect([...names(first), ...names(second)].sort()).toEqual(['a', 'b', 'c']);
    expect(names(await list(`flow=${flowName}&per_page=2&page=99`))).toEqual([]);
    const bare = await caller().get<TrailListItem[]>(`/trails/acme/${flowName}`);
    expect(bare).toEqual((await list(`flow=${flowName}`)).data);
    const { compliance_status } = await caller().get<TrailAnswer>(`/trails/acme/${flowName}/a`);
    const withStatus = (await list(`flow=${flowName}&compliance_status=true`)).data;
    expect(withStatus.find(({ name }) => name === 'a')).toEqual({
      ...bare.find(({ name }) => name === 'a'),
      compliance_status,
    });
    expect(await caller().get(`/trails/acme/${flowName}?compliance_status=true`)).toEqual(withStatus);
    const all = await list('per_page=50');
    expect(names(all)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    const times = all.data.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('finds trails by an artifact, and by a tag of their flow', async () => {
    const [firstFlow, secondFlow] = [await flow(caller()), await flow(caller())];
    const fingerprint = digest(fresh('shared'));
    for (const flowName of [firstFlow, secondFlow]) {
      await begin(flowName, { name: 'other' });
      await post(caller(), flowName, artifact(fingerprint, { trail_name: 'with' }));
    }
    const result = await list(`fingerprint=${fingerprint}`);
    expect(result.data.map(({ flow_name, name }) => [flow_name, name]).sort()).toEqual([
      [firstFlow, 'with'],
      [secondFlow, 'with'],
    ]);
    expect((await list(`fingerprint=${fingerprint}&flow=${secondFlow}`)).pagination.total).toBe(1);
    expect((await list(`fingerprint=${digest('none')}`)).data).toEqual([]);
    expect((await list('flow_tag=team=nobody')).data).toEqual([]);
    await caller().expect(200, 'PATCH', `/tags/acme/flow/${secondFlow}`, {
      json: { set_tags: { team: 'a=b', x: '' } },
    });
    const tagged = async (tag: string) => (await list(`flow_tag=${tag}`)).data.map(({ flow_name }) => flow_name);
    expect(await tagged('team=a=b')).toEqual([secondFlow, secondFlow]);
    expect(await tagged('x')).toEqual([secondFlow, secondFlow]);
    expect(await tagged('team=a')).toEqual([]);
    expect((await list(`flow_tag=x=&flow=${firstFlow}`)).data).toEqual([]);
    expect((await list(`flow_tag=x=&fingerprint=${fingerprint}`)).pagination.total).toBe(1);
  });

  it('accepts nothing new in an archived flow, and stays readable', async () => {
    const flowName = await flow(caller());
    await begin(flowName, { name: 'build-1' });
    await caller().expect(200, 'PUT', `/flows/acme/${flowName}/archive`, { text: 'null' });
    for (const name of ['build-1', 'build-2']) {
      const form = flowForm({ name, description: 'x', repo_info: repository() });
      expect(await caller().refused(400, 'PUT', `/trails/acme/${flowName}`, { form })).toEqual({
        message: `Flow named '${flowName}' has been archived: nothing new can be added to it`,
      });
    }
    expect((await get(flowName, 'build-1')).events).toHaveLength(1);
  });

  it('follows the rename of its flow', async () => {
    const flowName = await flow(caller());
    const new_name = fresh('renamed');
    await begin(flowName, { name: 'build-1' });
    await caller().expect(200, 'PUT', `/flows/acme/${flowName}/rename`, { json: { new_name } });
    expect(await get(new_name, 'build-1')).toMatchObject({ flow: { name: new_name } });
    expect((await list(`flow=${new_name}`)).data).toMatchObject([{ name: 'build-1', flow_name: new_name }]);
  });

  it('creates one trail for many simultaneous requests', async () => {
    const flowName = await flow(caller());
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        caller().send('PUT', `/trails/acme/${flowName}`, { form: flowForm({ name: 'race', description: 'x' }) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect((await get(flowName, 'race')).events).toHaveLength(1);
  });
});
