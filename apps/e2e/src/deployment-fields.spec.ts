import type {
  OrgDeploymentPage,
  RepoDeployment,
  RepoDeploymentPage,
} from '@assurance/contracts/deployments/answers/deployment';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
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

const DAY = 24 * 3600;

/** Fields of a deployment in both lists that depend on more than its report: commits, verdicts, windows. */
onEveryDeployment((world) => {
  const caller = () => world().as('member');
  const idOf = async ({ name }: { readonly name: string }) =>
    (await caller().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(name)}`)).repos[0]?.id;
  const ofRepo = async (repo: { readonly name: string }, query = ''): Promise<readonly RepoDeployment[]> =>
    (await caller().get<RepoDeploymentPage>(`/repos/acme/${await idOf(repo)}/deployments?${query}`)).deployments;

  it('shows all known fields of a commit, and leaves out an unknown account and unknown parents', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const [all, least] = [digest(`${env} all`), digest(`${env} least`)];
    const git_commit_info = {
      sha1: sha1(all),
      message: 'Sell tea\n\nIn cups.',
      author: 'Ada <ada@example.com>',
      branch: 'main',
      timestamp: YESTERDAY - 0.5,
      url: 'https://github.com/acme/shop/commit/1',
      author_username: 'ada',
      parents: [sha1('one'), sha1('two')],
    };
    const only = { sha1: sha1(least) };
    await post(caller(), flowName, artifact(all, { repo_info, git_commit_info }));
    await post(caller(), flowName, artifact(least, { repo_info, git_commit_info: only }));
    await report(caller(), env, [item({ 'least:1': least }, YESTERDAY)]);
    await report(caller(), env, [item({ 'all:1': all }, YESTERDAY + 1)]);
    const unknown = { message: null, author: null, branch: null, timestamp: null, url: null };
    expect((await ofRepo(repo_info)).map(({ commit }) => commit)).toEqual([git_commit_info, { ...only, ...unknown }]);
  });

  it('shows the replaced commit like its own', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const [old, now] = [digest(`${env} old`), digest(`${env} now`)];
    for (const fingerprint of [old, now]) await post(caller(), flowName, artifact(fingerprint, { repo_info }));
    await report(caller(), env, [item({ 'web:1': old })]);
    await report(caller(), env, [item({ 'web:2': now }, YESTERDAY + 60)]);
    const [second, first] = await ofRepo(repo_info);
    expect(first?.commit).toMatchObject({ sha1: sha1(old) });
    expect(second?.replaced_artifact).toEqual({
      fingerprint: old,
      artifact_name: 'web:1',
      snapshot_index: 1,
      commit: first?.commit,
    });
  });

  it('shows the verdict of the snapshot in which it started, and null without policies', async () => {
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const tested = policyYaml('  attestations:\n    - {type: junit}\n');
    const envs: Record<string, string> = {};
    for (const [verdict, yaml] of [
      ['true', PROVENANCE],
      ['false', tested],
      ['null', null],
    ] as const) {
      const env = await environment(caller());
      envs[env] = verdict;
      if (yaml !== null) await attach(caller(), env, await policy(caller(), yaml));
      const fingerprint = digest(env);
      await post(caller(), flowName, artifact(fingerprint, { repo_info }));
      await report(caller(), env, [item({ 'web:1': fingerprint })]);
      const entry = { artifact_fingerprint: fingerprint, artifact_name: 'web', description: 'its vendor' };
      await caller().expect(201, 'PUT', `/allowlists/acme/${env}`, { json: entry });
    }
    const results = await ofRepo(repo_info);
    expect(results).toHaveLength(3);
    for (const { env_name, compliance } of results) expect(String(compliance)).toBe(envs[env_name ?? '']);
  });

  it('lists deployments of a repository in all environments, or in the given ones', async () => {
    const [flowName, repo_info] = [await flow(caller()), repository()];
    const envs = [await environment(caller()), await environment(caller()), await environment(caller())];
    for (const [i, env] of envs.entries()) {
      await post(caller(), flowName, artifact(digest(env), { repo_info, trail_name: `trail-${i}` }));
      await report(caller(), env, [item({ 'web:1': digest(env) }, YESTERDAY + i)]);
    }
    const [a = '', b = '', c = ''] = envs;
    const names = async (query: string) => (await ofRepo(repo_info, query)).map(({ env_name }) => env_name);
    expect(await names('')).toEqual([c, b, a]);
    expect(await names(`env=${b}`)).toEqual([b]);
    expect(await names(`env=${a}&env=${c}`)).toEqual([c, a]);
    expect(await names(`env=${a},${c}`)).toEqual([c, a]);
    expect(await names(`env=${b.toUpperCase()}`)).toEqual([]);
  });

  it('shows the last 28 days of a repository and of the organization unless told otherwise, both ends included', async () => {
    const [env, flowName, repo_info] = [await environment(caller()), await flow(caller()), repository()];
    const now = Math.floor(Date.now() / 1000);
    const [early, inside, late] = [now - 28 * DAY - 60, now - 28 * DAY + 120, now - 5];
    const runs = [early, inside, late].map((at) => [digest(`${env} ${at}`), at] as const);
    for (const [fingerprint] of runs)
      await post(caller(), flowName, artifact(fingerprint, { repo_info, git_commit_info: null }));
    await report(
      caller(),
      env,
      runs.map(([fingerprint, at]) => item({ [`at-${at}`]: fingerprint }, at)),
    );
    for (const list of [`/repos/acme/${await idOf(repo_info)}/deployments?`, `/deployments/acme?env_name=${env}&`]) {
      const times = async (query: string) =>
        (await caller().get<OrgDeploymentPage | RepoDeploymentPage>(list + query)).deployments.map(
          ({ deployed_at }) => deployed_at,
        );
      expect(await times('')).toEqual([late, inside]);
      expect(await times('start_ts=null&end_ts=null')).toEqual([late, inside]);
      expect(await times(`end_ts=${late}`)).toEqual([late, inside]);
      expect(await times(`end_ts=${early}`)).toEqual([early]);
      expect(await times(`start_ts=0&end_ts=${early}`)).toEqual([early]);
      expect(await times(`start_ts=${early}&end_ts=`)).toEqual([late, inside, early]);
      expect(await times(`end_ts=${early + 28 * DAY}`)).toEqual([inside, early]);
      expect(await times(`end_ts=${early + 28 * DAY}.001`)).toEqual([inside]);
      expect(await times(`start_ts=${early}`)).toEqual([late, inside, early]);
      expect(await times(`start_ts=${inside}&end_ts=${late}`)).toEqual([late, inside]);
      expect(await times(`start_ts=${inside}.001&end_ts=${late - 1}.999`)).toEqual([]);
    }
  });
});
