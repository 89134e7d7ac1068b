import type { RepoDeployment, RepoDeploymentPage } from '@assurance/contracts/deployments/answers/deployment';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import {
  artifact,
  digest,
  environment,
  flow,
  item,
  post,
  report,
  repository,
  sha1,
  YESTERDAY,
} from './support/samples';
import { onEveryDeployment } from './support/world';

/** An artifact, the flow that reports it, and fields of that. */
interface Of {
  readonly name: string;
  readonly flow: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const ofRepo = async (name: string): Promise<readonly RepoDeployment[]> => {
    const { repos } = await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(name)}`);
    const { deployments } = await caller().get<RepoDeploymentPage>(`/repos/acme/${repos[0]?.id}/deployments`);
    return deployments;
  };
  /** Reports these one after the other into one environment; each is posted with its fields first. */
  const inTurn = async (...reports: readonly (readonly Of[])[]) => {
    const env = await environment(caller());
    const existing = new Set<string>();
    const print = (name: string) => digest(`${env} ${name}`);
    let at = YESTERDAY;
    for (const artifacts of reports) {
      at += 60;
      for (const { name, flow: flowName, fields } of artifacts) {
        if (existing.has(name)) continue;
        existing.add(name);
        await post(caller(), flowName, artifact(print(name), { filename: name, ...fields }));
      }
      const items = artifacts.map(({ name }) => item({ [name]: print(name) }, at));
      await report(caller(), env, items);
    }
    return print;
  };

  it.each([
    ['github', 'github.com', (url: string, old: string, now: string) => `${url}/compare/${old}...${now}`],
    ['gitlab', 'gitlab.com', (url: string, old: string, now: string) => `${url}/-/compare/${old}...${now}`],
    [
      'bitbucket',
      'bitbucket.org',
      (url: string, old: string, now: string) => `${url}/branches/compare/${now}%0D${old}`,
    ],
    [
      'azure-devops',
      'dev.azure.com',
      (url: string, old: string, now: string) => `${url}/branchCompare?baseVersion=GC${old}&targetVersion=GC${now}`,
    ],
    ['gitea', 'git.example.com', () => null],
  ])('names what was replaced, and links the difference at %s', async (provider, host, link) => {
    const [flowName, repo_info] = [await flow(caller()), repository(provider, host)];
    const place = { flow: flowName, fields: { repo_info } };
    const print = await inTurn([{ name: 'web:1', ...place }], [{ name: 'web:2', ...place }]);
    const [now, old] = await ofRepo(repo_info.name);
    expect(old).toMatchObject({ snapshot_index: 1, replaced_artifact: null, diff_url: null });
    expect(now).toMatchObject({
      snapshot_index: 2,
      replaced_artifact: {
        fingerprint: print('web:1'),
        artifact_name: 'web:1',
        snapshot_index: 1,
        commit: { sha1: sha1(print('web:1')), timestamp: YESTERDAY - 600 },
      },
      diff_url: link(repo_info.url, sha1(print('web:1')), sha1(print('web:2'))),
    });
    expect(Object.keys(now?.replaced_artifact ?? {}).sort()).toEqual([
      'artifact_name',
      'commit',
      'fingerprint',
      'snapshot_index',
    ]);
  });

  it('names nothing if nothing of its line exited', async () => {
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const web = { flow: flowName, fields: { repo_info } };
    const api = { flow: flowName, fields: { repo_info, template_reference_name: 'api' } };
    await inTurn([{ name: 'web:1', ...web }], [{ name: 'api:1', ...api }]);
    const results = (await ofRepo(repo_info.name)).map((deployment) => [
      deployment.artifact_name,
      deployment.replaced_artifact,
      deployment.diff_url,
    ]);
    expect(results).toEqual([
      ['api:1', null, null],
      ['web:1', null, null],
    ]);
  });

  it('names what a rolling update replaced when that exits, once, and keeps the place in the list', async () => {
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const place = { flow: flowName, fields: { repo_info } };
    const version = (number: number): Of => ({ name: `web:${number}`, ...place });
    const [firstVersion, secondVersion, thirdVersion] = [version(1), version(2), version(3)];
    const print = await inTurn(
      [firstVersion],
      [firstVersion, secondVersion],
      [secondVersion],
      [secondVersion, thirdVersion],
      [secondVersion, thirdVersion, firstVersion],
      [secondVersion, firstVersion],
    );
    const results = (await ofRepo(repo_info.name)).map((deployment) => [
      deployment.artifact_name,
      deployment.snapshot_index,
      deployment.replaced_artifact?.fingerprint ?? null,
      deployment.replaced_artifact?.snapshot_index ?? null,
    ]);
    expect(results).toEqual([
      ['web:1', 5, print('web:3'), 5],
      ['web:3', 4, null, null],
      ['web:2', 2, print('web:1'), 2],
      ['web:1', 1, null, null],
    ]);
  });

  it('names the component of the same repository among those of one template', async () => {
    const [flowName, repos] = [
      await flow(caller()),
      Array.from({ length: 4 }, () => repository('bitbucket', 'bitbucket.org')),
    ];
    const component = (i: number, version: number) => ({
      name: `component-${i}:${version}`,
      flow: flowName,
      fields: { repo_info: repos[i], template_reference_name: 'app' },
    });
    const print = await inTurn(
      [0, 1, 2, 3].map((i) => component(i, 1)),
      [component(0, 2)],
    );
    const [now] = await ofRepo(repos[0]?.name ?? '');
    expect(now?.replaced_artifact).toMatchObject({ fingerprint: print('component-0:1'), snapshot_index: 1 });
    expect(now?.diff_url).toContain('/compare/');
  });

  it('compares by the name in the repository if the flow differs', async () => {
    const [firstFlow, secondFlow, repo_info] = [await flow(caller()), await flow(caller()), repository()];
    const print = await inTurn(
      [{ name: 'r.example.com:5000/shop/web:1', flow: firstFlow, fields: { repo_info } }],
      [{ name: 'r.example.com:5000/shop/web:2@sha256:abc', flow: secondFlow, fields: { repo_info } }],
    );
    const [now] = await ofRepo(repo_info.name);
    expect(now?.replaced_artifact?.fingerprint).toBe(print('r.example.com:5000/shop/web:1'));
    expect(now?.diff_url).toContain('/compare/');
  });

  it('does not compare across repositories', async () => {
    const [flowName, before, after] = [await flow(caller()), repository(), repository()];
    const print = await inTurn(
      [{ name: 'web:1', flow: flowName, fields: { repo_info: before } }],
      [{ name: 'web:2', flow: flowName, fields: { repo_info: after } }],
    );
    const [now] = await ofRepo(after.name);
    expect(now).toMatchObject({ fingerprint: print('web:2'), replaced_artifact: null, diff_url: null });
  });

  it('links equal commits too', async () => {
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const place = { flow: flowName, fields: { repo_info, git_commit: sha1('one'), git_commit_info: null } };
    await inTurn([{ name: 'web:1', ...place }], [{ name: 'web:2', ...place }]);
    const [now] = await ofRepo(repo_info.name);
    expect(now?.diff_url).toBe(`${repo_info.url}/compare/${sha1('one')}...${sha1('one')}`);
  });

  it('takes the newest of several exited artifacts', async () => {
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const place = { flow: flowName, fields: { repo_info } };
    const print = await inTurn(
      [{ name: 'web:1', ...place }],
      [
        { name: 'web:1', ...place },
        { name: 'web:2', ...place },
      ],
      [{ name: 'web:3', ...place }],
    );
    const [now] = await ofRepo(repo_info.name);
    expect(now).toMatchObject({
      artifact_name: 'web:3',
      replaced_artifact: { fingerprint: print('web:2'), snapshot_index: 2 },
    });
  });

  it('is completed by provenance that arrives after both deployments', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const [old, now] = [digest(`${env} old`), digest(`${env} new`)];
    await report(caller(), env, [item({ 'web:1': old })]);
    await report(caller(), env, [item({ 'web:2': now }, YESTERDAY + 60)]);
    await post(caller(), flowName, artifact(now, { repo_info }));
    // By the name only, while its provenance is unknown.
    expect(
      (await ofRepo(repo_info.name)).map((deployment) => [deployment.replaced_artifact, deployment.diff_url]),
    ).toEqual([[{ fingerprint: old, artifact_name: 'web:1', snapshot_index: 1, commit: null }, null]]);
    await post(caller(), flowName, artifact(old, { repo_info }));
    const [result] = await ofRepo(repo_info.name);
    expect(result).toMatchObject({
      replaced_artifact: { fingerprint: old, snapshot_index: 1 },
      diff_url: `${repo_info.url}/compare/${sha1(old)}...${sha1(now)}`,
    });
  });
});
