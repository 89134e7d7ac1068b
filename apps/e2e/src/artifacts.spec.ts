import type { ArtifactAnswer } from '@assurance/contracts/flows/answers/artifact';
import type { RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import {
  artifact,
  digest,
  environment,
  flow,
  fresh,
  item,
  post,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const send = (flowName: string, json: unknown) => caller().send('POST', `/artifacts/acme/${flowName}`, { json });
  const running = async (fingerprint: string) => {
    const env = await environment(caller());
    await report(caller(), env, [item({ 'shop/web:1': fingerprint })]);
    const [result] = (await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)).artifacts;
    return result;
  };

  it('begins the trail if it does not exist', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    expect(await send(flowName, artifact(fingerprint, { trail_name: 'never-begun' }))).toMatchObject({
      status: 201,
      body: 'OK',
    });
    expect((await running(fingerprint))?.flows).toMatchObject([
      { flow_name: flowName, trail_name: 'never-begun', template_reference_name: 'web', git_commit: sha1(fingerprint) },
    ]);
  });

  it('keeps the command and duration of a build that clients annotate, under headers that nobody knows', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const annotations = { build_command: `make ${'TARGET '.repeat(3_000)}`, build_duration_seconds: '12.3' };
    const json = artifact(fingerprint, { annotations });
    const headers = { 'x-client-build': 'yes', 'x-unheard-of': '1', 'traceparent-of-client': 'a' };
    expect(await caller().send('POST', `/artifacts/acme/${flowName}`, { json, headers })).toMatchObject({
      status: 201,
    });
    const kept = await caller().get<ArtifactAnswer>(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}`);
    expect(kept.annotations).toEqual(annotations);
  });

  it('answers a repeated report with 200 and stores the artifact once', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint));
    for (let i = 0; i < 3; i += 1) {
      expect(await send(flowName, artifact(fingerprint))).toMatchObject({ status: 200, body: 'OK' });
    }
    expect((await running(fingerprint))?.flows).toHaveLength(1);
  });

  it('keeps the first report of a trail when others follow', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint, { trail_name: 't' }));
    const other = sha1('other');
    const changed = artifact(fingerprint, {
      trail_name: 't',
      git_commit: other,
      git_commit_info: { sha1: other, timestamp: YESTERDAY - 10 },
    });
    expect((await send(flowName, changed)).status).toBe(200);
    expect(await running(fingerprint)).toMatchObject({ git_commit: sha1(fingerprint), commit_lead_time: 600 });
  });

  it('keeps one record for each trail', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    await post(caller(), flowName, artifact(fingerprint, { trail_name: 'one' }));
    await post(caller(), flowName, artifact(fingerprint, { trail_name: 'two' }));
    expect((await running(fingerprint))?.flows.map(({ trail_name }) => trail_name)).toEqual(['one', 'two']);
  });

  it('accepts the legacy form and takes the commit from its list', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const commit = sha1(fingerprint);
    const commits_list = [
      { sha1: sha1('before'), message: 'x', author: 'A', timestamp: 1, branch: 'main', parents: [] },
      {
        sha1: commit,
        message: 'Sell tea',
        author: 'A',
        timestamp: YESTERDAY - 30,
        branch: 'main',
        parents: [sha1('before')],
      },
    ];
    const legacy = {
      fingerprint,
      filename: 'shop/web:1',
      git_commit: commit,
      build_url: 'https://ci.example.com/1',
      commit_url: 'https://github.com/acme/shop/commit/1',
      repo_url: 'https://github.com/acme/shop',
      commits_list,
    };
    await post(caller(), flowName, legacy);
    expect((await send(flowName, legacy)).status).toBe(200);
    const result = await running(fingerprint);
    expect(result).toMatchObject({ flow_name: flowName, git_commit: commit, commit_lead_time: 30 });
    expect(result?.flows).toMatchObject([
      {
        trail_name: null,
        template_reference_name: null,
        git_commit_info: { sha1: commit, message: 'Sell tea', parents: [sha1('before')] },
      },
    ]);
  });

  it('accepts null where clients send it', async () => {
    const flowName = await flow(caller());
    const fields = { external_urls: null, annotations: null, repo_info: null, build_url: null, git_commit_info: null };
    await post(caller(), flowName, artifact(digest(flowName), fields));
    expect(await running(digest(flowName))).toMatchObject({
      commit_lead_time: null,
      git_commit: sha1(digest(flowName)),
    });
  });

  it('names the flow that does not exist', async () => {
    for (const name of ['nothing', 'no%20thing']) {
      expect(await caller().refused(404, 'POST', `/artifacts/acme/${name}`, { json: artifact(digest('x')) })).toEqual({
        message: `Flow named '${decodeURIComponent(name)}' does not exist for organization 'acme'`,
      });
    }
  });

  it('refuses an external link with a malformed fingerprint, and names it', async () => {
    const flowName = await flow(caller());
    const external_urls = { log: { href: 'https://x.example.com', fingerprint: '7509e5bda0' } };
    const json = artifact(digest(flowName), { external_urls });
    const error = await caller().refused(400, 'POST', `/artifacts/acme/${flowName}`, { json });
    expect(error.message).toMatch(/^Input payload validation failed: /);
    expect(JSON.stringify(error.errors)).toContain('7509e5bda0');
    external_urls.log.fingerprint = digest('log');
    await post(caller(), flowName, artifact(digest(flowName), { external_urls }));
  });

  it.each([
    ['fingerprint', 'abc'],
    ['fingerprint', 'G'.repeat(64)],
    ['fingerprint', undefined],
    ['filename', ''],
    ['filename', undefined],
    ['git_commit', 'abc1234'],
    ['git_commit', 'a'.repeat(63)],
    ['git_commit', 7],
    ['template_reference_name', undefined],
    ['trail_name', 'foo bar'],
    ['git_commit_info', 'x'],
    ['repo_info', []],
    ['commits_list', {}],
    ['annotations', { 'a b': 'x' }],
  ])('refuses %s as %p', async (field, value) => {
    const flowName = await flow(caller());
    const json = artifact(digest(fresh('refused')), { [field]: value });
    const error = await caller().refused(400, 'POST', `/artifacts/acme/${flowName}`, { json });
    expect(error.message).toMatch(/^Input payload validation failed: /);
    expect(Object.keys(error.errors ?? {}).join()).toContain(field);
  });

  it.each([
    ['SHA-1', sha1('built')],
    ['SHA-256', digest('built')],
  ])('is built from a commit that is named by its %s', async (_, commit) => {
    const [flowName, fingerprint] = [await flow(caller()), digest(fresh('built'))];
    await post(caller(), flowName, artifact(fingerprint, { git_commit: commit }));
    const path = `/artifacts/acme/${flowName}/commit_sha/${commit}`;
    expect(await caller().get<readonly object[]>(path)).toMatchObject([{ fingerprint, git_commit: commit }]);
    const result = await caller().get<{ artifacts: readonly object[] }>(`/search/acme/sha/${commit}`);
    expect(result.artifacts).toMatchObject([{ fingerprint }]);
  });

  it('has the commit of its info where git_commit is left out, and may have none', async () => {
    const [flowName, env, repo_info] = [await flow(caller()), await environment(caller()), repository()];
    const described = artifact(digest(fresh('described')), { git_commit: undefined, repo_info });
    const commits = { git_commit: null, git_commit_info: null };
    const bare = artifact(digest(fresh('bare')), { ...commits, repo_info, trail_name: 'bare' });
    for (const body of [described, bare]) {
      await post(caller(), flowName, body);
      await report(caller(), env, [item({ 'shop/web:1': body.fingerprint })]);
    }
    const searchResults = async ({ fingerprint }: { readonly fingerprint: string }) =>
      (await caller().get<{ git_commit: string }>(`/artifacts/acme/${flowName}/fingerprint/${fingerprint}`)).git_commit;
    expect([await searchResults(described), await searchResults(bare)]).toEqual([described.git_commit_info.sha1, '']);
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${repo_info.name}`);
    const path = `/repos/acme/${repos[0]?.id}/deployments`;
    expect((await caller().get<RepoDeploymentPage>(path)).deployments).toMatchObject([
      {
        fingerprint: bare.fingerprint,
        commit: null,
        diff_url: null,
        replaced_artifact: { fingerprint: described.fingerprint, commit: { sha1: described.git_commit_info.sha1 } },
      },
      { fingerprint: described.fingerprint },
    ]);
  });

  it('ignores unknown properties', async () => {
    const flowName = await flow(caller());
    await post(caller(), flowName, artifact(digest(flowName), { colour: 'red' }));
  });

  it('stores one record when many clients report it at once', async () => {
    const flowName = await flow(caller());
    const fingerprint = digest(flowName);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(flowName, artifact(fingerprint))));
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    expect((await send(flowName, artifact(fingerprint))).status).toBe(200);
    expect((await running(fingerprint))?.flows).toHaveLength(1);
  });
});
