import type {
  ArtifactAnswer,
  ArtifactListItem,
  LatestCommit,
  SearchAnswer,
} from '@assurance/contracts/flows/answers/artifact';
import { OTHER_KEY } from './support/declared';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  policy,
  policyYaml,
  post,
  PROVENANCE,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const TEMPLATE = `version: 1
trail:
  artifacts:
    - name: cli
      attestations: [{ name: foo, type: junit }]
`;

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const get = (flowName: string, fingerprint: string, query = '') =>
    caller().get<ArtifactAnswer>(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}${query}`);
  const ofCommit = (flowName: string, sha: string, query = '') =>
    caller().get<ArtifactAnswer[]>(`/artifacts/acme/${flowName}/commit_sha/${sha}${query}`);
  const list = (query: string) => caller().get<ArtifactListItem[]>(`/artifacts/acme?${query}`);
  const search = (value: string) => caller().get<SearchAnswer>(`/search/acme/sha/${value}`);
  const missing = (fingerprint: string, flowName: string) => ({
    message: `Artifact with fingerprint '${fingerprint}' does not exist in flow '${flowName}' belonging to organization 'acme'`,
  });
  const commit = (text: string, branch = 'main') => {
    const sha = sha1(text);
    return { git_commit: sha, git_commit_info: { sha1: sha, branch, timestamp: YESTERDAY }, trail_name: sha };
  };

  it('shows an artifact by its fingerprint or by the beginning of it', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint, { trail_name: 'build-1', template_reference_name: 'cli' }));
    const result = await get(flowName, fingerprint);
    const item = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'shop/web:1',
      flow_name: flowName,
      trail_name: 'build-1',
      template_reference_name: 'cli',
      fingerprint,
      created_at: expect.any(Number),
      last_modified_at: new Date(result.created_at * 1000).toISOString(),
      git_commit: sha1(fingerprint),
      git_commit_info: expect.objectContaining({ sha1: sha1(fingerprint) }),
      repo_info: expect.objectContaining({ name: 'acme/shop', provider: 'github' }),
      repo_url: 'https://github.com/acme/shop',
      commit_url: `https://github.com/acme/shop/commit/${sha1(fingerprint)}`,
      build_url: 'https://ci.example.com/1',
      html_url: expect.stringContaining(`/acme/flows/${flowName}/artifacts/${fingerprint}?artifact_id=`),
      api_url: expect.stringContaining(`/api/v2/artifacts/acme/${flowName}/fingerprint/${fingerprint}`),
      state: 'INCOMPLETE',
      evidence: {},
    };
    expect(result).toEqual({
      ...item,
      description: null,
      template: null,
      is_compliant: null,
      user_data: null,
      annotations: {},
      external_urls: {},
      commit_lead_times: {},
      build_lead_times: {},
      state_info: 'A required attestation is missing',
      running: [],
      exited: [],
      history: [{ event: 'cli reported', timestamp: result.created_at }],
    });
    expect(await list(`flow_name=${flowName}`)).toEqual([item]);
    expect(await get(flowName, fingerprint.slice(0, 5))).toEqual(result);
    expect(await get(flowName, fingerprint, '?trail=build-1')).toEqual(result);
    expect(await ofCommit(flowName, sha1(fingerprint))).toEqual([result]);
    expect(await ofCommit(flowName, sha1(fingerprint).slice(0, 7), '?trail=build-1')).toEqual([result]);
  });

  it('shows what was reported beside the provenance, of the newest report', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const expected = {
      description: 'The web shop',
      template: ['artifact', 'unit-test'],
      is_compliant: true,
      user_data: { run: 7, list: [1, 'two', null] },
      annotations: { team: 'shop' },
      external_urls: { run: { href: 'https://ci.example.com/1' } },
    };
    const reported = artifact(fingerprint, { ...expected, build_url: '' });
    await post(caller(), flowName, reported);
    expect(await get(flowName, fingerprint)).toMatchObject({ ...expected, build_url: '' });
    // The same again is no second report.
    await caller().expect(200, 'POST', `/artifacts/acme/${flowName}`, { json: reported });
    const json = { ...reported, build_url: 'https://ci.example.com/2', description: 'The shop', template: 'artifact' };
    await caller().expect(200, 'POST', `/artifacts/acme/${flowName}`, { json });
    const result = await get(flowName, fingerprint);
    const { build_url, description } = json;
    expect(result).toMatchObject({ ...expected, build_url, description, template: ['artifact'] });
    expect(await list(`flow_name=${flowName}`)).toMatchObject([
      { build_url: 'https://ci.example.com/2', created_at: result.created_at },
    ]);
    expect((await search(fingerprint)).artifacts).toMatchObject([{ build_url: 'https://ci.example.com/2' }]);
  });

  it('keeps the digits of numbers in user data', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const text = JSON.stringify({ ...artifact(fingerprint), user_data: 0 }).replace(
      '"user_data":0',
      '"user_data":{"n":12345678901234567890}',
    );
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { text });
    const { text: answerText } = await caller().send('GET', `/artifacts/acme/${flowName}/fingerprint/${fingerprint}`);
    expect(answerText).toContain('12345678901234567890');
  });

  it('accepts an artifact without a known commit', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const json = artifact(fingerprint, { git_commit: undefined, git_commit_info: undefined, trail_name: 'build-1' });
    await caller().expect(201, 'POST', `/artifacts/acme/${flowName}`, { json });
    expect(await get(flowName, fingerprint)).toMatchObject({ git_commit: '', git_commit_info: null });
    const { errors } = await caller().refused(400, 'POST', `/artifacts/acme/${flowName}`, {
      json: { ...json, template: [7], is_compliant: 'yes' },
    });
    expect(Object.keys(errors ?? {})).toEqual(expect.arrayContaining(['template.0', 'is_compliant']));
  });

  it('shows the newest of its trails, or the requested one', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    for (const trail_name of ['one', 'two']) await post(caller(), flowName, artifact(fingerprint, { trail_name }));
    expect((await get(flowName, fingerprint)).trail_name).toBe('two');
    expect((await get(flowName, fingerprint, '?trail=one')).trail_name).toBe('one');
    expect((await ofCommit(flowName, sha1(fingerprint))).map(({ trail_name }) => trail_name)).toEqual(['two', 'one']);
    const refused = await caller().refused(
      404,
      'GET',
      `/artifacts/acme/${flowName}/fingerprint/${fingerprint}?trail=x`,
    );
    expect(refused).toEqual(missing(fingerprint, flowName));
  });

  it('shows the legacy form, without trail and template name', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const fields = { trail_name: undefined, template_reference_name: undefined };
    await post(caller(), flowName, artifact(fingerprint, fields));
    expect(await get(flowName, fingerprint)).toMatchObject({
      trail_name: null,
      template_reference_name: null,
      state: 'COMPLIANT',
    });
  });

  it('names what does not exist', async () => {
    const flowName = await flow(caller());
    await post(caller(), flowName, artifact(digest(flowName)));
    for (const kind of ['fingerprint', 'commit_sha']) {
      for (const query of [digest('nothing'), digest(flowName).slice(0, 4), 'NOHEX'])
        expect(await caller().refused(404, 'GET', `/artifacts/acme/${flowName}/${kind}/${query}`)).toEqual(
          missing(query, flowName),
        );
    }
    const unknown = { message: "Flow named 'nothing' does not exist for organization 'acme'" };
    for (const path of ['/nothing', '?flow_name=nothing', '/nothing/fingerprint/abcde', '/nothing/a/latest_commit'])
      expect(await caller().refused(404, 'GET', `/artifacts/acme${path}`)).toEqual(unknown);
    expect(await caller().refused(404, 'GET', '/artifacts/acme?repo_name=non-existing')).toEqual({
      message: "Repo 'non-existing' not found",
    });
  });

  it('shows where and when it runs or ran', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const attest = (type: string, fields: object) => {
      const path = `/attestations/acme/${flowName}/trail/${sha1(fingerprint)}/${type}`;
      return caller().expect(201, 'POST', path, { form: flowForm(fields) });
    };
    const { git_commit_info } = artifact(fingerprint);
    const awaited = { attestation_name: 'lint', target_artifacts: ['web'], git_commit_info };
    await post(caller(), flowName, artifact(fingerprint));
    await attest('generic', { ...awaited, is_compliant: true });
    await attest('junit', {
      attestation_name: 'tests',
      artifact_fingerprint: fingerprint,
      junit_results: [{ name: 'unit', failures: 0, errors: 0, skipped: 0, total: 1, duration: 1 }],
    });
    await attest('generic', { attestation_name: 'of the trail', is_compliant: true });
    const [here, there] = [await environment(caller()), await environment(caller())];
    await report(caller(), there, [item({ x: digest('other') })]);
    await report(caller(), there, [item({ x: digest('other') }), item({ web: fingerprint })]);
    await report(caller(), here, [item({ web: fingerprint })]);
    await report(caller(), here, []);
    const result = await get(flowName, fingerprint);
    expect(result).toMatchObject({
      running: [{ environment_name: there, snapshot_index: 2, compliant: null }],
      exited: [{ environment_name: here, snapshot_index: 2 }],
    });
    expect(result.history.map(({ event }) => event)).toEqual([
      'web reported',
      `generic attestation 'lint' reported`,
      `junit attestation 'tests' reported`,
      `Started running in ${there}#2`,
      `Started running in ${here}#1`,
      `Stopped running in ${here}#2`,
    ]);
    expect(result.evidence).toEqual({
      lint: expect.objectContaining({ evidence_type: 'generic', is_compliant: true, has_audit_package: true }),
      tests: expect.objectContaining({ evidence_type: 'junit', is_compliant: true }),
    });
    const lead = { [there]: expect.any(Number) };
    expect(result).toMatchObject({ commit_lead_times: lead, build_lead_times: lead });
    expect(Date.parse(result.last_modified_at)).toBeGreaterThan(result.created_at * 1000);
    expect((await search(fingerprint)).artifacts).toMatchObject([
      { running_in: [there], exited_from: [here], history: result.history },
    ]);
  });

  it('says which environments refuse an artifact whose own attestations comply', async () => {
    const [flowName, fingerprint] = [await flow(caller()), digest(fresh('refused'))];
    await post(caller(), flowName, artifact(fingerprint));
    const [strict, lenient, free] = [
      await environment(caller()),
      await environment(caller()),
      await environment(caller()),
    ];
    const admin = world().as('admin');
    await attach(admin, strict, await policy(admin, policyYaml('  attestations:\n    - type: pull_request\n')));
    await attach(admin, lenient, await policy(admin, PROVENANCE));
    for (const env of [strict, lenient, free]) await report(caller(), env, [item({ web: fingerprint })]);
    const running = [
      { environment_name: strict, snapshot_index: 1, compliant: false },
      { environment_name: lenient, snapshot_index: 1, compliant: true },
      { environment_name: free, snapshot_index: 1, compliant: null },
    ];
    const result = await get(flowName, fingerprint);
    expect(result.state).toBe('COMPLIANT');
    expect(new Set(result.running)).toEqual(new Set(running));
    const [found] = (await search(fingerprint)).artifacts;
    expect(new Set(found?.running)).toEqual(new Set(running));
  });

  it('lists artifacts of a flow in pages, newest first', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    expect(await list(`flow_name=${flowName}`)).toEqual([]);
    const all = ['a', 'b', 'c'].map((name) => digest(flowName + name));
    for (const fingerprint of all) await post(caller(), flowName, artifact(fingerprint));
    const pages = [
      ...(await list(`flow_name=${flowName}&per_page=2`)),
      ...(await list(`flow_name=${flowName}&per_page=2&page=2`)),
    ];
    expect(pages.map(({ fingerprint }) => fingerprint)).toEqual([...all].reverse());
    expect(pages[0]).toMatchObject({
      git_commit: sha1(all[2] ?? ''),
      filename: 'shop/web:1',
      fingerprint: all[2],
      state: 'COMPLIANT',
      created_at: expect.any(Number),
    });
    expect(await list(`flow_name=${flowName}&page=99`)).toEqual([]);
    expect(await caller().get(`/artifacts/acme/${flowName}`)).toEqual(pages);
  });

  it('lists each artifact of a repository once, whatever the flow', async () => {
    const [firstFlow, secondFlow] = [await flow(caller()), await flow(caller())];
    const repo_info = repository();
    const [first, second] = [digest(fresh('a')), digest(fresh('b'))];
    await post(caller(), firstFlow, artifact(first, { repo_info }));
    await post(caller(), firstFlow, artifact(second, { repo_info }));
    await post(caller(), secondFlow, artifact(first, { repo_info }));
    const fingerprints = async (query: string) => (await list(query)).map(({ fingerprint }) => fingerprint);
    const of = `repo_name=${repo_info.name}`;
    expect(await fingerprints(of)).toEqual([first, second]);
    expect(await fingerprints(`${of}&per_page=1&page=2`)).toEqual([second]);
    expect(await fingerprints(`${of}&per_page=1&page=3`)).toEqual([]);
    expect(await fingerprints(`${of}&flow_name=${secondFlow}`)).toEqual([first]);
    expect((await fingerprints('per_page=2')).sort()).toEqual([first, second].sort());
  });

  it('moves an artifact to the front when it is reported again, and finds pages deep in a list', async () => {
    const [firstFlow, secondFlow] = [await flow(caller()), await flow(caller())];
    const repo_info = repository();
    const all = Array.from({ length: 23 }, (_, i) => digest(`${repo_info.name} ${i}`));
    for (const fingerprint of all) await post(caller(), firstFlow, artifact(fingerprint, { repo_info }));
    const pageOf = async (query: string) => (await list(query)).map(({ fingerprint }) => fingerprint);
    const ofRepo = `repo_name=${repo_info.name}&per_page=5`;
    const newest = [...all].reverse();
    expect(await pageOf(`${ofRepo}&page=5`)).toEqual(newest.slice(20));
    const again = all[11] ?? '';
    await post(caller(), secondFlow, artifact(again, { repo_info }));
    const moved = [again, ...newest.filter((fingerprint) => fingerprint !== again)];
    for (const page of [1, 3, 5, 6]) {
      const bounds = [(page - 1) * 5, page * 5] as const;
      expect(await pageOf(`${ofRepo}&page=${page}`)).toEqual(moved.slice(...bounds));
      expect(await pageOf(`${ofRepo}&flow_name=${firstFlow}&page=${page}`)).toEqual(newest.slice(...bounds));
      expect(await pageOf(`flow_name=${firstFlow}&per_page=5&page=${page}`)).toEqual(newest.slice(...bounds));
      expect(await pageOf(`per_page=5&page=${page}`)).toEqual(expect.arrayContaining(moved.slice(...bounds)));
    }
  });

  it('lists an artifact once for each repository of a name', async () => {
    const flowName = await flow(caller());
    const first = repository();
    const second = { ...first, provider: 'gitlab', url: `https://gitlab.com/${first.name}`, id: fresh('id') };
    const fingerprint = digest(first.name);
    for (const [trail_name, repo_info] of Object.entries({ first, second }))
      await post(caller(), flowName, artifact(fingerprint, { repo_info, trail_name }));
    const of = `/artifacts/acme?repo_name=${first.name}`;
    expect(await caller().get<ArtifactListItem[]>(of)).toHaveLength(2);
    expect(await caller().get<ArtifactListItem[]>(`${of}&page=2&per_page=1`)).toMatchObject([{ fingerprint }]);
  });

  it('shows the commit of the previous artifact', async () => {
    const flowName = await flow(caller());
    const latest = (name: string, query = '') =>
      caller().get<LatestCommit>(`/artifacts/acme/${flowName}/${digest(flowName + name)}/latest_commit${query}`);
    expect(await latest('new')).toEqual({ latest_commit: null });
    for (const [name, branch] of [
      ['a', 'main'],
      ['b', 'other'],
      ['c', 'main'],
    ] as const)
      await post(caller(), flowName, artifact(digest(flowName + name), commit(flowName + name, branch)));
    expect(await latest('new')).toEqual({ latest_commit: sha1(`${flowName}c`) });
    expect(await latest('c')).toEqual({ latest_commit: sha1(`${flowName}b`) });
    expect(await latest('c', '?branch=main')).toEqual({ latest_commit: sha1(`${flowName}a`) });
    expect(await latest('a')).toEqual({ latest_commit: null });
    expect(await latest('new', '?branch=none')).toEqual({ latest_commit: null });
  });

  it('finds commits and fingerprints, in full and by their beginning', async () => {
    const flowName = await flow(caller(), TEMPLATE);
    const fingerprint = digest(flowName);
    const sha = sha1(fingerprint);
    await post(caller(), flowName, artifact(fingerprint, { template_reference_name: 'cli' }));
    const nothing = (type: string) => ({ type, count: 0, matches: [] });
    const artifacts = [
      {
        fingerprint,
        name: 'shop/web:1',
        flow: flowName,
        pipeline: flowName,
        trail: sha,
        template_reference_name: 'cli',
        git_commit: sha,
        has_provenance: true,
        commit_url: `https://github.com/acme/shop/commit/${sha}`,
        build_url: 'https://ci.example.com/1',
        html_url: expect.stringContaining(fingerprint),
        api_url: expect.stringContaining(`/api/v2/artifacts/acme/${flowName}/fingerprint/${fingerprint}`),
        compliance_state: 'INCOMPLETE',
        running_in: [],
        running: [],
        exited_from: [],
        history: [{ event: 'cli reported', timestamp: expect.any(Number) }],
      },
    ];
    for (const value of [fingerprint, fingerprint.slice(0, 12)])
      expect(await search(value)).toEqual({
        resolved_to: {
          type: 'fingerprint',
          full_match: fingerprint,
          fingerprints: { type: 'fingerprint', count: 1, matches: [fingerprint] },
          commits: nothing('commit'),
        },
        artifacts,
        trails: [],
      });
    expect(await search(sha.slice(0, 12))).toEqual({
      resolved_to: {
        type: 'commit',
        full_match: sha,
        fingerprints: nothing('fingerprint'),
        commits: { type: 'commit', count: 1, matches: [sha] },
      },
      artifacts,
      trails: [],
    });
  });

  it('finds trails by their own commit, the one that was set last', async () => {
    const flowName = await flow(caller());
    const [old, now] = [sha1(`${flowName} old`), sha1(`${flowName} now`)];
    const begin = (sha: string, status: number) =>
      caller().expect(status, 'PUT', `/trails/acme/${flowName}`, {
        form: flowForm({ name: 'pull-7', git_commit_info: { sha1: sha } }),
      });
    await begin(old, 201);
    const trail = {
      name: 'pull-7',
      flow: flowName,
      git_commit: old,
      html_url: expect.stringContaining(`/acme/flows/${flowName}/trails/pull-7`),
    };
    const commits = { type: 'commit', count: 1, matches: [old] };
    expect(await search(old.slice(0, 7))).toMatchObject({
      resolved_to: { type: 'commit', full_match: old, commits },
      artifacts: [],
      trails: [trail],
    });
    await begin(now, 200);
    expect((await search(now.toUpperCase())).trails).toEqual([{ ...trail, git_commit: now }]);
    await caller().refused(404, 'GET', `/search/acme/sha/${old}`);
  });

  it('finds all artifacts of a commit, whole and in pages, with their number', async () => {
    const flowName = await flow(caller());
    const sha = sha1(`monorepo ${flowName}`);
    const all = Array.from({ length: 60 }, (_, i) => digest(`${flowName} ${i}`));
    for (const fingerprint of all)
      await post(caller(), flowName, artifact(fingerprint, commit(`monorepo ${flowName}`)));
    const newestFirst = all.toReversed();
    const read = async (path: string) => {
      const { status, body, headers } = await caller().send('GET', path);
      expect(status).toBe(200);
      const results = Array.isArray(body) ? (body as ArtifactAnswer[]) : (body as SearchAnswer).artifacts;
      return [results.map(({ fingerprint }) => fingerprint), headers.get('x-total-count')];
    };
    for (const value of [sha, sha.slice(0, 12), sha.toUpperCase()]) {
      for (const path of [`/artifacts/acme/${flowName}/commit_sha/${value}`, `/search/acme/sha/${value}`]) {
        expect(await read(path)).toEqual([newestFirst, '60']);
        expect(await read(`${path}?per_page=40`)).toEqual([newestFirst.slice(0, 40), '60']);
        expect(await read(`${path}?per_page=40&page=2`)).toEqual([newestFirst.slice(40), '60']);
        expect(await read(`${path}?page=3`)).toEqual([[], '60']);
      }
    }
  });

  it('finds running artifacts that belong to no flow', async () => {
    const env = await environment(caller());
    const fingerprint = digest(env);
    await report(caller(), env, [item({ stranger: fingerprint })]);
    expect((await search(fingerprint.slice(0, 20))).artifacts).toMatchObject([
      { fingerprint, name: 'stranger', flow: '', has_provenance: false, compliance_state: '', running_in: [env] },
    ]);
  });

  it.each([digest('nobody'), 'abc', 'NOHEX', '%25'])('finds nothing for %s', async (value) => {
    expect(await caller().refused(404, 'GET', `/search/acme/sha/${value}`)).toEqual({
      message: `No matches for '${decodeURIComponent(value)}'.`,
    });
  });

  it('finds nothing of other organizations', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint));
    const other = world().withHeader(`Bearer ${OTHER_KEY}`);
    expect(await other.get('/artifacts/other')).toEqual([]);
    await other.refused(404, 'GET', `/search/other/sha/${fingerprint}`);
    await other.refused(404, 'GET', `/artifacts/other/${flowName}/fingerprint/${fingerprint}`);
  });
});
