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
  post,
  report,
  UNCHANGED,
} from './support/samples';
import { onEveryDeployment } from './support/world';

const finding = (id: string, message: string, uri: string | null, lines?: string, priority_score?: number) => ({
  id,
  message,
  ...(uri === null ? {} : { locations: [{ uri, ...(lines === undefined ? {} : { lines }) }] }),
  ...(priority_score === undefined ? {} : { priority_score }),
});
const counts = (high_count: number, medium_count: number, low_count: number) => ({
  high_count,
  medium_count,
  low_count,
});
const NONE = counts(0, 0, 0);

/** What clients make of the SARIF of the seven kinds of scans, of scans with several runs, and of odd ones: results, and whether they comply. */
const SCANS: readonly (readonly [string, readonly object[], boolean])[] = [
  [
    'code, with places and scores',
    [
      {
        ...counts(1, 2, 0),
        high: [finding('javascript/Sqli', 'Unsanitized input flows into “query” 🚀', 'src/shop.ts', '12-19', 812)],
        medium: [
          finding('javascript/NoRateLimit', 'No limit', 'src/api.ts', '7', 405.5),
          { ...finding('javascript/Ssrf', 'Two places', 'a.ts', '1'), locations: [{ uri: 'a.ts' }, { uri: 'b.ts' }] },
        ],
      },
    ],
    false,
  ],
  [
    'an image',
    [{ ...counts(1, 0, 0), high: [finding('SNYK-DEBIAN12-ZLIB-6008963', 'A\nmessage of\nlines', 'docker.io/shop')] }],
    false,
  ],
  ['an image without findings', [NONE], true],
  [
    'a Helm chart, whose findings of low severity stand beside those of medium',
    [{ ...counts(0, 0, 1), medium: [finding('SNYK-CC-K8S-44', 'Root', 'templates/pod.yaml', '3')] }],
    false,
  ],
  [
    'infrastructure as code',
    [{ ...counts(0, 1, 0), medium: [finding('SNYK-CC-TF-4', 'Open to all', 'main.tf', '40-41')] }],
    false,
  ],
  [
    'packages',
    [
      {
        ...counts(2, 0, 1),
        high: [finding('SNYK-JS-LODASH-1018905', 'lodash@4.17.20', 'package.json'), finding('npm:x', '', null)],
        low: [finding('SNYK-JS-MINIMIST-559764', 'minimist@1', 'package.json', '1', 0.1)],
      },
    ],
    false,
  ],
  ['a serverless function', [{ ...NONE, high: [], medium: [], low: [] }], true],
  ['several runs that find nothing', [NONE, NONE, NONE], true],
  ['several runs, of which one finds something', [NONE, { ...counts(0, 0, 3) }, NONE], false],
  ['no run', [], true],
];

/** With the keys of each object in order, as evidence is stored. */
const sorted = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

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
    const results = await artifacts(env);
    expect(new Map(results as [string, string][])).toEqual(
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

  it.each(SCANS)(
    'a scan of %s, which is read back as it was sent in every form of a read',
    async (_, results, compliant) => {
      const snyk_results = { schema_version: 1, tool: { name: 'Snyk', version: '1.1292.0' }, results };
      const [flowName, fingerprint] = [await flow(caller()), digest(fresh('scanned'))];
      await post(caller(), flowName, artifact(fingerprint, { trail_name: 'build-1' }));
      const path = `/attestations/acme/${flowName}/trail/build-1`;
      const form = flowForm({ attestation_name: 'scan', artifact_fingerprint: fingerprint, snyk_results });
      await caller().expect(201, 'POST', `${path}/snyk`, { form });
      const ofTrail = await caller().get<AttestationAnswer[]>(`${path}/scan`);
      const ofArtifact = await caller().get<AttestationAnswer[]>(
        `/attestations/acme/${flowName}/artifact/${fingerprint}/scan`,
      );
      const id = ofTrail[0]?.attestation_id ?? '';
      const { data } = await caller().get<{ readonly data: AttestationAnswer[] }>(
        `/attestations/acme?attestation_id=${id}`,
      );
      for (const answers of [ofTrail, ofArtifact, data]) {
        expect(answers).toMatchObject([{ attestation_type: 'snyk', is_compliant: compliant }]);
        // Equal, not alike: nothing is added, left out or put in another order.
        expect(JSON.stringify(answers[0]?.snyk_results)).toBe(JSON.stringify(sorted(snyk_results)));
        expect(answers[0]?.processed_snyk_results).toEqual(snyk_results);
      }
    },
  );

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
