import fc from 'fast-check';
import type { OrgDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { codePoint } from '@assurance/testing/code-point';
import type { Caller } from './support/caller';
import { type Kind, KINDS } from './support/kinds';
import { artifact, digest, environment, flow, item, report, YESTERDAY } from './support/samples';
import { onEveryDeployment } from './support/world';

/** Far above the time of an answer, even on a busy machine. A longer call hangs. */
const SLOW_MS = 10_000;
const RUNS = 150;

const sha = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c').map(digest) },
  fc.constantFrom('', 'A'.repeat(64), 'a'.repeat(65)),
  fc.string({ unit: codePoint }),
);
const time = fc.oneof(
  { weight: 4, arbitrary: fc.nat() },
  fc.double(),
  fc.constantFrom(-1, 2 ** 53, 1e300),
  fc.jsonValue(),
);
const name = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.constantFrom('web:1', '__proto__', 'constructor', 'toString', 'length'),
);
const digests = fc.oneof({ weight: 6, arbitrary: fc.dictionary(name, sha, { maxKeys: 4 }) }, fc.jsonValue());
const instance = fc.oneof(
  { weight: 6, arbitrary: fc.record({ digests, creationTimestamp: time }, { requiredKeys: [] }) },
  fc.jsonValue(),
);
const artifacts = fc.oneof({ weight: 6, arbitrary: fc.array(instance, { maxLength: 4 }) }, fc.jsonValue());
const body = fc.oneof(
  { weight: 6, arbitrary: fc.record({ artifacts }).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  fc.string({ unit: codePoint }),
);

const odd = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.constantFrom(
    '',
    'a/b',
    '/',
    'git@host:a/b',
    'https://github.com/a/b',
    'https://[::1]/x',
    '//x/y',
    'http://h/%zz',
    null,
  ),
  fc.webUrl(),
  fc.jsonValue(),
);
const often = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: usual }, odd);
/** Reports of a kind: most fields of its items as they should be, some not. */
const reportOf = ({ says }: Kind) => {
  const fields = Object.entries(says).map(([key, usual]) => [key, often(fc.constant(usual))] as const);
  return fc
    .array(fc.record({ digests, creationTimestamp: time, ...Object.fromEntries(fields) }), { maxLength: 3 })
    .map((artifacts) => JSON.stringify({ artifacts }));
};
const url = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom('git@github.com:a/b.git', 'x'),
);
const text = fc.string({ unit: codePoint, maxLength: 20 });
const provenance = fc.record(
  {
    filename: often(text),
    git_commit_info: often(
      fc.record(
        {
          sha1: fc.constantFrom('a'.repeat(40), 'b'),
          message: text,
          timestamp: often(fc.double()),
          parents: odd,
          url: odd,
          author_username: odd,
        },
        { requiredKeys: ['sha1'] },
      ),
    ),
    repo_info: often(
      fc.record(
        {
          url: often(url),
          name: often(text),
          id: often(text),
          provider: often(fc.constantFrom('github', 'gitlab')),
          description: odd,
        },
        { requiredKeys: [] },
      ),
    ),
    repo_url: often(url),
    commit_url: often(url),
    template_reference_name: often(text),
    trail_name: fc.constantFrom('t', 'u', '__proto__', 'a~b', '-'),
    annotations: odd,
    external_urls: odd,
    commits_list: odd,
  },
  { requiredKeys: [] },
);

const PARAMETERS = [
  'page',
  'per_page',
  'start_ts',
  'end_ts',
  'env_name',
  'repo_name',
  'env',
  'reverse',
  'interval',
  'name',
  'search',
];
const value = fc.oneof(
  fc.integer({ min: -2, max: 60 }).map(String),
  fc.double().map(String),
  fc.constantFrom('', 'null', 'true', 'x', '-0', '0x1', '1e3', '9'.repeat(30)),
  fc.string({ unit: codePoint, maxLength: 20 }),
);
const query = fc.array(fc.tuple(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...PARAMETERS) }, name), value), {
  maxLength: 4,
});

onEveryDeployment((world) => {
  /** The status of a call, and that it came in time. */
  const statusOf = async (caller: Caller, method: string, path: string, text?: string) => {
    const start = performance.now();
    const { status } = await caller.send(method, path, text === undefined ? {} : { text });
    expect(performance.now() - start).toBeLessThan(SLOW_MS);
    return status;
  };

  it('accepts or refuses any report without a fault', async () => {
    const caller = world().as('member');
    const path = `/environments/acme/${await environment(caller)}/report/docker`;
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        expect([200, 400]).toContain(await statusOf(caller, 'PUT', path, text));
      }),
      { numRuns: RUNS },
    );
    await caller.get(path.replace('/environments', '/snapshots').replace('/report/docker', '?per_page=50'));
    await caller.get('/deployments/acme?start_ts=0&end_ts=253402300799&per_page=50');
  }, 120_000);

  it.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    'accepts or refuses any report of %s, and shows what it accepted',
    async (type, kind) => {
      const caller = world().as('member');
      const env = await environment(caller, { type, include_scaling: true });
      await fc.assert(
        fc.asyncProperty(reportOf(kind), async (text) => {
          const status = await statusOf(caller, 'PUT', `/environments/acme/${env}/report/${type}`, text);
          expect([200, 400]).toContain(status);
          if (status === 200) expect([200, 404]).toContain(await statusOf(caller, 'GET', `/snapshots/acme/${env}/-1`));
        }),
        { numRuns: RUNS / 3 },
      );
    },
    60_000,
  );

  it('accepts or refuses any provenance without a fault, and shows it', async () => {
    const caller = world().as('member');
    const [env, flowName] = [await environment(caller), await flow(caller)];
    let count = 0;
    await fc.assert(
      fc.asyncProperty(provenance, async (fields) => {
        const fingerprint = digest(`${env} ${++count}`);
        const text = JSON.stringify(artifact(fingerprint, fields));
        const status = await statusOf(caller, 'POST', `/artifacts/acme/${flowName}`, text);
        expect([200, 201, 400]).toContain(status);
        if (status === 400) return;
        await report(caller, env, [item({ 'shop/web': fingerprint }, YESTERDAY + count)]);
        const [result] = (await caller.get<OrgDeploymentPage>(`/deployments/acme?env_name=${env}&per_page=1`))
          .deployments;
        expect(result).toMatchObject({ fingerprint, _links: { artifact: expect.anything() } });
        await caller.get(`/snapshots/acme/${env}/-1`);
      }),
      { numRuns: RUNS },
    );
    const { repos } = await caller.get<RepoPage>('/repos/acme?per_page=50');
    for (const { id, name } of repos) {
      await caller.get(`/repos/acme/x?id=${id}`);
      await caller.get(`/repos/acme/${id}/deployments?per_page=50`);
      const { status } = await caller.send('GET', `/repos/acme/${encodeURIComponent(name)}`);
      expect([200, 400]).toContain(status);
    }
  }, 120_000);

  it('answers or refuses any query without a fault', async () => {
    const caller = world().as('reader');
    const env = await environment(world().as('member'));
    const paths = [
      '/deployments/acme',
      '/repos/acme',
      '/repos/acme/x/deployments',
      `/snapshots/acme/${env}`,
      `/environments/acme/${env}`,
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), query, async (path, parameters) => {
        const search = parameters.map(
          ([key, input]) => `${encodeURIComponent(wellFormed(key))}=${encodeURIComponent(wellFormed(input))}`,
        );
        expect([200, 400, 404]).toContain(await statusOf(caller, 'GET', `${path}?${search.join('&')}`));
      }),
      { numRuns: RUNS },
    );
  }, 120_000);

  it('answers or refuses any path without a fault', async () => {
    const caller = world().as('reader');
    const env = await environment(world().as('member'));
    const paths = [
      '/environments/acme/X',
      '/flows/acme/X',
      '/repos/acme/X/Y',
      '/repos/acme/X/deployments',
      `/snapshots/acme/${env}/X`,
      '/snapshots/acme/X/-1',
    ];
    const segment = fc
      .string({ unit: codePoint, minLength: 1, maxLength: 30 })
      .filter((text) => !/^\.{1,2}$/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), segment, async (path, text) => {
        const status = await statusOf(
          caller,
          'GET',
          path.replace('X', () => encodeURIComponent(wellFormed(text))),
        );
        expect([200, 400, 404]).toContain(status);
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});

/** Texts that can be escaped in a URL: half a surrogate pair cannot. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
