import type { SnapshotAnswer } from '@assurance/contracts/environments/answers/snapshot';
import type { AttestationAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { KINDS } from './support/kinds';
import {
  artifact,
  CREATED,
  digest,
  environment,
  flow,
  flowForm,
  fresh,
  item,
  report,
  UNCHANGED,
} from './support/samples';
import { onEveryDeployment } from './support/world';

/** Forms in which public clients and real files write reports and evidence: all are taken, and read back as they were sent. */
onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const reported = (env: string, kind: string, artifacts: unknown) =>
    caller().expect<string>(200, 'PUT', `/environments/acme/${env}/report/${kind}`, { json: { artifacts } });
  const artifacts = async (env: string) =>
    (await caller().get<SnapshotAnswer>(`/snapshots/acme/${env}/-1`)).artifacts.map(({ name, fingerprint }) => [
      name,
      fingerprint,
    ]);
  const attested = async (type: string, data: object) => {
    const flowName = await flow(caller());
    const path = `/attestations/acme/${flowName}/trail/build-1`;
    const form = flowForm({ attestation_name: 'a', ...data });
    await caller().expect(201, 'POST', `${path}/${type}`, { form });
    const [newest] = await caller().get<AttestationAnswer[]>(`${path}/a`);
    return newest as AttestationAnswer & Readonly<Record<string, unknown>>;
  };

  it.each(KINDS.map((kind) => [kind.kind, kind.says] as const))(
    'a report of %s that nothing runs may be an empty list or null',
    async (kind, says) => {
      const env = await environment(caller(), { type: kind });
      for (const nothing of [[], null]) expect(await reported(env, kind, nothing)).toBe(UNCHANGED);
      expect(await reported(env, kind, [{ ...item({ 'shop/web:1': digest(env) }), ...says }])).toBe(CREATED(1));
      expect(await reported(env, kind, [])).toBe(CREATED(2));
      expect(await reported(env, kind, null)).toBe(UNCHANGED);
    },
  );

  it('one tag with two digests at once is two artifacts of one name', async () => {
    const env = await environment(caller());
    const [a, b] = [digest(`${env} a`), digest(`${env} b`)].sort();
    await report(caller(), env, [item({ 'shop/web:latest': a ?? '' }), item({ 'shop/web:latest': b ?? '' })]);
    expect((await artifacts(env)).sort()).toEqual([
      ['shop/web:latest', a],
      ['shop/web:latest', b],
    ]);
  });

  it('names of images and files may have any form', async () => {
    const env = await environment(caller());
    const names = [
      'nginx',
      'localhost:5000/shop/web',
      `shop/web@sha256:${digest(env)}`,
      `shop/web:1@sha256:${digest(env)}`,
      'C:\\Program Files\\shop\\web.exe',
      `sha256:${digest(env)}`,
    ];
    await report(
      caller(),
      env,
      names.map((name) => item({ [name]: digest(`${env} ${name}`) })),
    );
    const found = await artifacts(env);
    expect(new Map(found as [string, string][])).toEqual(
      new Map(names.map((name) => [name, digest(`${env} ${name}`)])),
    );
  });

  it.each([
    [
      'with fields of newer clients',
      { base_ref: 'main', commits: [{ sha1: 'a'.repeat(40), signature_state: 'valid' }] },
    ],
    ['of which it is unknown whether the commits are signed', { commits: [{ sha1: 'a'.repeat(40), verified: null }] }],
    ['whose commits are not signed', { commits: [{ sha1: 'a'.repeat(40), verified: false }] }],
    ['whose commits do not say it', { commits: [{ sha1: 'a'.repeat(40), author: null }] }],
    ['without a merge commit', { merge_commit: '' }],
  ])('a pull request %s', async (_, fields) => {
    const pull = { url: 'https://example.com/pull/1', state: 'MERGED', approvers: [], ...fields };
    const { pull_requests } = await attested('pull_request', { git_provider: 'github', pull_requests: [pull] });
    expect(pull_requests).toMatchObject([fields]);
  });

  it('an approver with an unknown property is refused by its name', async () => {
    const approvers = ['ada', { username: 'bea', state: null, timestamp: null }, { username: 'cleo', colour: 'red' }];
    const pull = { url: 'https://example.com/pull/1', state: 'MERGED', approvers };
    const form = flowForm({ attestation_name: 'a', git_provider: 'github', pull_requests: [pull] });
    const path = `/attestations/acme/${await flow(caller())}/trail/build-1/pull_request`;
    const { errors } = await caller().refused(400, 'POST', path, { form });
    expect(errors).toEqual({ 'pull_requests.0.approvers.2.colour': expect.stringContaining('Unknown property') });
  });

  it.each([null, undefined])('a pull request whose commits are %s', async (commits) => {
    const pull = { url: 'https://example.com/pull/1', state: 'MERGED', merge_commit: 'a'.repeat(40), commits };
    const { pull_requests } = await attested('pull_request', { git_provider: 'github', pull_requests: [pull] });
    expect(pull_requests).toMatchObject([{ url: pull.url, merge_commit: pull.merge_commit }]);
  });

  it('a test suite with a negative duration, and a failure in one of several suites', async () => {
    const suite = { name: 'a', failures: 0, errors: 0, skipped: 0, total: 3, duration: -11_770_557.774, timestamp: 0 };
    const passed = await attested('junit', { junit_results: [suite] });
    expect([passed.is_compliant, passed['junit_results']]).toMatchObject([true, [suite]]);
    const failed = await attested('junit', { junit_results: [suite, { ...suite, name: 'b', failures: 1 }, suite] });
    expect(failed.is_compliant).toBe(false);
  });

  it.each([
    ['an empty image', [], true],
    ['one run', [{ high_count: 0, medium_count: 0, low_count: 0 }], true],
    [
      'several runs',
      [
        { high_count: 0, medium_count: 0, low_count: 0 },
        { high_count: 1, medium_count: 0, low_count: 0 },
      ],
      false,
    ],
  ] as const)('a scan of %s', async (_, results, compliant) => {
    const snyk_results = { schema_version: 1, tool: { name: 'Snyk Open Source', version: '1.1292.0' }, results };
    const answer = await attested('snyk', { snyk_results });
    expect([answer.is_compliant, answer['snyk_results']]).toMatchObject([compliant, snyk_results]);
  });

  it('an address of a repository with or without user, port, query and slash is one, without its secrets', async () => {
    const name = fresh('repo');
    const host = `git.example.com`;
    const addresses = [
      `https://${host}/acme/${name}`,
      `https://${host}/acme/${name}/`,
      `https://${host}/acme/${name}.git/`,
      `https://ada@${host}/acme/${name}.git`,
      `https://ada:s3cret-token@${host}:443/acme/${name}.git?ref=main#readme`,
      `http://${host}/acme/${name}`,
      `git://${host}/acme/${name}.git`,
      `git+ssh://git@${host}/acme/${name}.git`,
    ];
    for (const repo_url of addresses) {
      const json = artifact(digest(fresh('built')), { repo_url, repo_info: undefined });
      await caller().expect(201, 'POST', `/artifacts/acme/${await flow(caller())}`, { json });
    }
    const { text } = await caller().send('GET', `/repos/acme?search=${name}`);
    expect((JSON.parse(text) as RepoPage).repos).toMatchObject([{ url: `https://${host}/acme/${name}` }]);
    expect(text).not.toContain('s3cret');
  });
});
