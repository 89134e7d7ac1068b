import { AssertArtifact } from '@assurance/environments/read/assert';
import { ListFlows } from '@assurance/environments/read/catalogue';
import {
  FindAttestations,
  GetEvidence,
  ListAttestations,
  ListCommitAttestations,
  ListFlowAttestations,
} from '@assurance/evidence/read/attestations';
import { GetArtifact, GetArtifactsOfCommit, GetLatestCommit, ListArtifacts } from '@assurance/flows/read/artifacts';
import { GetBuildStatistics, ListBuilds } from '@assurance/flows/read/builds';
import { GetFlow } from '@assurance/flows/read/flows';
import { GetRepoLiveArtifacts } from '@assurance/flows/read/live-artifacts';
import { GetRepo, GetRepoFilterOptions, ListRepos, ListRepoTags } from '@assurance/flows/read/repos';
import { Search } from '@assurance/flows/read/search';
import { GetTrail, ListTrails } from '@assurance/flows/read/trails';
import { err, ok } from '@assurance/kernel';
import { ACME } from '@assurance/testing/recorded/acme';
import { ada, atAcme, firstPage } from '../testing/acme';

const ask = atAcme();
const { fingerprint, gitCommit } = ACME;
const noFlow = err({ kind: 'flow-unknown', org: 'acme', name: 'nobody' });
const noRepo = err({ kind: 'repo-unknown', name: 'nobody' });
const noTrail = err({ kind: 'trail-unknown', name: 'nobody', org: 'acme', flow: 'shop' });

describe('GetFlowHandler', () => {
  it('answers a flow', async () => {
    expect(await ask(new GetFlow({ caller: ada, name: 'shop' }))).toMatchObject(
      ok({ value: { name: 'shop', org: 'acme' }, behind: 0 }),
    );
  });
  it('refuses an unknown flow', async () =>
    expect(await ask(new GetFlow({ caller: ada, name: 'nobody' }))).toEqual(noFlow));
});

describe('ListFlowsHandler', () => {
  const filter = { caseSensitive: false, tags: [], spaces: [], sort: 'name', direction: 'asc' } as const;

  it('lists flows, as a page and as a whole', async () => {
    expect(await ask(new ListFlows({ caller: ada, filter, page: firstPage }))).toMatchObject({
      value: { body: { data: [{ name: 'shop' }], pagination: { page: 1, total: 1 } }, count: 1 },
    });
    expect(await ask(new ListFlows({ caller: ada, filter, page: null }))).toMatchObject({
      value: { body: [{ name: 'shop' }] },
    });
  });
  it('lists nothing that the filter excludes', async () => {
    const { value } = await ask(new ListFlows({ caller: ada, filter: { ...filter, name: 'nobody' }, page: null }));
    expect(value).toEqual({ body: [], count: 0, ends: null });
  });
});

describe('GetTrailHandler', () => {
  it('answers a trail', async () => {
    expect(await ask(new GetTrail({ caller: ada, flow: 'shop', trail: 'build-1' }))).toMatchObject(
      ok({ name: 'build-1' }),
    );
  });
  it('refuses an unknown flow and an unknown trail', async () => {
    expect(await ask(new GetTrail({ caller: ada, flow: 'nobody', trail: 'build-1' }))).toEqual(noFlow);
    expect(await ask(new GetTrail({ caller: ada, flow: 'shop', trail: 'nobody' }))).toEqual(noTrail);
  });
});

describe('ListTrailsHandler', () => {
  const list = (expected: ListTrails['selection']) =>
    ask(new ListTrails({ caller: ada, selection: expected, page: firstPage }));

  it('lists trails of a flow and of a fingerprint', async () => {
    for (const expected of [{}, { flow: 'shop' }, { fingerprint }]) {
      expect(await list(expected)).toMatchObject(
        ok({ value: { data: [{ name: 'build-1' }], pagination: { total: 1 } } }),
      );
    }
  });
  it('gives each trail the fields of a single trail, except those that only commits have', async () => {
    const trail = await ask(new GetTrail({ caller: ada, flow: 'shop', trail: 'build-1' }));
    if (!trail.ok) throw new Error('there is no such trail');
    const { compliance_status, template, created_by, repo_ids, flow } = trail.value;
    expect(
      compliance_status.attestations_statuses.length + Object.keys(compliance_status.artifacts_statuses).length,
    ).toBeGreaterThan(0);
    expect(await list({ flow: 'shop' })).toMatchObject(
      ok({ value: { data: [{ compliance_status, template, created_by, repo_ids, flow }] } }),
    );
  });
  it('lists nothing for a tag that no flow has', async () => {
    expect(await list({ flowTag: 'tier=1' })).toMatchObject(ok({ value: { data: [], pagination: { total: 0 } } }));
  });
  it('refuses an unknown flow', async () => expect(await list({ flow: 'nobody' })).toEqual(noFlow));
});

describe('GetArtifactHandler', () => {
  const get = (flow: string, digits: string, attestation?: string) =>
    ask(new GetArtifact({ caller: ada, flow, fingerprint: digits, trail: undefined, attestation }));

  it('answers an artifact by the beginning of its fingerprint', async () =>
    expect(await get('shop', fingerprint.slice(0, 8))).toMatchObject(ok({ fingerprint })));
  it('refuses an unknown flow and an unknown artifact', async () => {
    expect(await get('nobody', fingerprint)).toEqual(noFlow);
    const unknown = err({ kind: 'artifact-unknown', fingerprint: 'ffff', org: 'acme', flow: 'shop' });
    expect(await get('shop', 'ffff')).toEqual(unknown);
    expect(await get('shop', fingerprint, 'nobody')).toMatchObject(err({ kind: 'artifact-unknown' }));
  });
});

describe('GetArtifactsOfCommitHandler', () => {
  const get = (flow: string, commit: string, page: typeof firstPage | null = null) =>
    ask(new GetArtifactsOfCommit({ caller: ada, flow, commit, trail: undefined, page }));

  it('answers the artifacts of a commit by its beginning, all or a page', async () => {
    const result = ok({ artifacts: [{ git_commit: gitCommit }], count: 1 });
    expect(await get('shop', gitCommit.slice(0, 8))).toMatchObject(result);
    expect(await get('shop', gitCommit, firstPage)).toMatchObject(result);
    expect(await get('shop', gitCommit, { ...firstPage, page: 2 })).toMatchObject(ok({ artifacts: [], count: 1 }));
  });
  it('refuses an unknown flow and an unknown commit', async () => {
    expect(await get('nobody', gitCommit)).toEqual(noFlow);
    const unknown = err({ kind: 'artifact-unknown', fingerprint: 'ffff', org: 'acme', flow: 'shop' });
    expect(await get('shop', 'ffff')).toEqual(unknown);
  });
});

describe('ListArtifactsHandler', () => {
  const list = (flow?: string, repo?: string) => ask(new ListArtifacts({ caller: ada, flow, repo, page: firstPage }));

  it('lists artifacts of a flow and of a repository', async () => {
    const result = ok({ value: [{ fingerprint }], behind: 0 });
    expect(await list('shop')).toMatchObject(result);
    expect(await list(undefined, ACME.repo.name)).toMatchObject(result);
  });
  it('refuses an unknown flow and an unknown repository', async () => {
    expect(await list('nobody')).toEqual(noFlow);
    expect(await list(undefined, 'nobody')).toEqual(noRepo);
  });
});

describe('GetLatestCommitHandler', () => {
  const get = (flow: string) => ask(new GetLatestCommit({ caller: ada, flow, fingerprint, branch: undefined }));

  it('answers null for the first artifact of a flow', async () => {
    expect(await get('shop')).toEqual(ok({ latest_commit: null }));
  });
  it('refuses an unknown flow', async () => expect(await get('nobody')).toEqual(noFlow));
});

const ANY = { flows: [], types: [], compliant: null, time: { from: null, to: null } };

describe('ListAttestationsHandler', () => {
  const list = (expected: Partial<ListAttestations['selection']>, page: ListAttestations['page'] = firstPage) =>
    ask(new ListAttestations({ caller: ada, selection: { ...ANY, ...expected }, page }));

  it('lists attestations that fit, and one by its id', async () => {
    const fitting: readonly Partial<ListAttestations['selection']>[] = [
      { flows: ['shop'] },
      { types: ['generic'] },
      { id: ACME.attestation },
      { name: 'tests' },
      { nameRegex: '^t.*s$' },
      { types: ['generic', 'junit'], compliant: true },
      { time: { from: 0, to: null } },
    ];
    for (const expected of fitting) {
      expect(await list(expected)).toMatchObject(ok({ answers: [{ attestation_name: 'tests' }] }));
    }
  });
  it('lists nothing for what does not fit', async () => {
    expect(await list({ id: 'nobody' })).toEqual(ok({ answers: [], ends: null }));
    const odd = [{ name: 'nobody' }, { nameRegex: '^x' }, { compliant: false }, { time: { from: null, to: 0 } }];
    for (const expected of odd) expect(await list(expected)).toMatchObject(ok({ answers: [], ends: { more: false } }));
  });
  it('refuses an unknown flow, and a page before a row that it would have to search', async () => {
    expect(await list({ flows: ['nobody'] })).toEqual(noFlow);
    const before = { ...firstPage, cursor: { side: 'before', key: [1, 'a'] } } as const;
    expect(await list({ compliant: true }, before)).toMatchObject(err({ kind: 'invalid' }));
  });
});

describe('ListFlowAttestationsHandler', () => {
  const list = (flow: string) =>
    ask(new ListFlowAttestations({ caller: ada, flow, time: { from: null, to: null }, page: firstPage }));

  it('lists attestations of a flow with their number', async () =>
    expect(await list('shop')).toMatchObject(
      ok({ data: [{ attestation_name: 'tests' }], pagination: { total: 1, page: 1, page_count: 1 } }),
    ));
  it('refuses an unknown flow', async () => expect(await list('nobody')).toEqual(noFlow));
});

describe('ListCommitAttestationsHandler', () => {
  const list = (commit: string, flow?: string) =>
    ask(new ListCommitAttestations({ caller: ada, commits: [commit], flow, name: undefined, type: undefined }));

  it('answers an empty list for a commit that no attestation names', async () =>
    expect(await list('0'.repeat(40))).toEqual(ok({ ['0'.repeat(40)]: [] })));
  it('refuses an unknown flow', async () => expect(await list(gitCommit, 'nobody')).toEqual(noFlow));
});

describe('FindAttestationsHandler', () => {
  const find = (flow: string, trail: string, name: string) =>
    ask(new FindAttestations({ caller: ada, flow, within: { trail }, name }));

  it('finds attestations of a name in a trail', async () => {
    expect(await find('shop', 'build-1', 'tests')).toMatchObject(ok([{ attestation_name: 'tests' }]));
    expect(await find('shop', 'build-1', 'nobody')).toEqual(ok([]));
  });
  it('finds none on an artifact that has none', async () => {
    expect(
      await ask(new FindAttestations({ caller: ada, flow: 'shop', within: { fingerprint }, name: 'tests' })),
    ).toEqual(ok([]));
  });
  it('refuses an unknown flow and an unknown trail', async () => {
    expect(await find('nobody', 'build-1', 'tests')).toEqual(noFlow);
    expect(await find('shop', 'nobody', 'tests')).toEqual(noTrail);
  });
});

describe('GetEvidenceHandler', () => {
  const get = (flow: string, trail: string, id: string) => ask(new GetEvidence({ caller: ada, flow, trail, id }));

  it('answers the files of an attestation', async () => {
    const result = await get('shop', 'build-1', ACME.attestation);
    expect(result).toMatchObject(ok({ files: expect.anything() }));
  });
  it('refuses an unknown flow, trail and attestation', async () => {
    expect(await get('nobody', 'build-1', ACME.attestation)).toEqual(noFlow);
    expect(await get('shop', 'nobody', ACME.attestation)).toEqual(noTrail);
    expect(await get('shop', 'build-1', 'nobody')).toEqual(err({ kind: 'attestation-unknown', id: 'nobody' }));
  });
});

describe('AssertArtifactHandler', () => {
  const assert = (by: Partial<AssertArtifact['by']>, of = fingerprint) =>
    ask(new AssertArtifact({ caller: ada, fingerprint: of, by: { policies: [], ...by } }));

  it('judges an artifact by its flows, by a policy and by an environment', async () => {
    expect(await assert({ flow: 'shop' })).toMatchObject(ok({ scope: 'flow', compliant: true }));
    expect(await assert({ policies: ['strict'] })).toMatchObject(
      ok({ scope: 'policy', compliant: true, policy_evaluations: [expect.anything()] }),
    );
    expect(await assert({ environment: 'production' })).toMatchObject(
      ok({ scope: 'environment', environment: 'production' }),
    );
  });
  it('refuses an unknown fingerprint, flow, policy and environment', async () => {
    const strange = 'f'.repeat(64);
    expect(await assert({}, strange)).toEqual(err({ kind: 'fingerprint-unknown', fingerprint: strange }));
    expect(await assert({ flow: 'nobody' })).toEqual(noFlow);
    expect(await assert({ policies: ['nobody'] })).toMatchObject(err({ kind: 'policy-unknown' }));
    expect(await assert({ environment: 'nobody' })).toMatchObject(err({ kind: 'environment-unknown' }));
  });
  it('refuses a policy together with an environment', async () => {
    const errors = { policy_name: 'Not together with environment_name' };
    expect(await assert({ environment: 'production', policies: ['strict'] })).toEqual(err({ kind: 'invalid', errors }));
  });
});

describe('SearchHandler', () => {
  it('finds an artifact by fingerprint and by commit', async () => {
    for (const [value, type] of [
      [fingerprint, 'fingerprint'],
      [gitCommit, 'commit'],
    ] as const) {
      expect(await ask(new Search({ caller: ada, value, page: null }))).toMatchObject(
        ok({ value: { resolved_to: { type, full_match: value }, artifacts: [{ fingerprint }] }, behind: 0, count: 1 }),
      );
    }
  });
  it('finds the trail that begins with the commit', async () => {
    expect(await ask(new Search({ caller: ada, value: gitCommit.slice(0, 7), page: null }))).toMatchObject(
      ok({ value: { trails: [{ name: 'build-1', flow: 'shop', git_commit: gitCommit }] } }),
    );
  });
  it('refuses a value that nothing has', async () => {
    expect(await ask(new Search({ caller: ada, value: 'ffff', page: null }))).toEqual(
      err({ kind: 'search-empty', text: 'ffff' }),
    );
  });
});

describe('ListReposHandler', () => {
  it('lists repositories', async () => {
    const page = await ask(new ListRepos({ caller: ada, filter: {}, page: firstPage, direction: 'asc' }));
    expect(page).toMatchObject(ok({ value: { total_count: 1, per_page: 10, repos: [{ name: ACME.repo.name }] } }));
  });
  it('lists nothing that the filter excludes', async () => {
    const page = await ask(
      new ListRepos({ caller: ada, filter: { name: 'nobody' }, page: firstPage, direction: 'asc' }),
    );
    expect(page).toMatchObject(ok({ value: { total_count: 0, repos: [] } }));
  });
});

describe('GetRepoHandler', () => {
  const { id, name } = ACME.repo;

  it('answers a repository by its name and by its id', async () => {
    expect(await ask(new GetRepo({ caller: ada, name, provider: undefined, id: undefined }))).toMatchObject(
      ok({ value: { name } }),
    );
    expect(await ask(new GetRepo({ caller: ada, name: 'nobody', provider: undefined, id }))).toMatchObject(
      ok({ value: { name } }),
    );
  });
  it('refuses an unknown repository', async () => {
    expect(await ask(new GetRepo({ caller: ada, name: 'nobody', provider: undefined, id: undefined }))).toEqual(noRepo);
  });
});

describe('ListRepoTagsHandler', () => {
  it('lists the tags of repositories, with their number', async () =>
    expect(await ask(new ListRepoTags({ caller: ada }))).toEqual({ tags: [{ key: 'team', value: 'tea' }], count: 1 }));
});

describe('GetRepoFilterOptionsHandler', () => {
  it('answers the values that repositories have', async () =>
    expect(await ask(new GetRepoFilterOptions({ caller: ada, filter: {} }))).toMatchObject({
      providers: [expect.any(String)],
      vcs_instances: [expect.any(String)],
    }));
  it('answers none for another organization', async () => {
    const caller = { ...ada, org: { id: 'org-beta', name: 'beta' } };
    const none = { providers: [], vcs_instances: [], namespace_values: [] };
    expect(await ask(new GetRepoFilterOptions({ caller, filter: {} }))).toEqual(none);
  });
});

describe('GetRepoLiveArtifactsHandler', () => {
  const get = (id: string) => ask(new GetRepoLiveArtifacts({ caller: ada, name: '', provider: undefined, id }));

  it('answers an empty list for a repository without running artifacts', async () =>
    expect(await get(ACME.repo.id)).toMatchObject(ok({ value: { live_artifacts: [] }, count: 0, behind: 0 })));
  it('refuses an unknown repository', async () => expect(await get('nobody')).toEqual(noRepo));
});

const builtIn = { start: 0, end: 9_999_999_999 };
const allRepos = { name: undefined, id: undefined, externalId: undefined };

describe('ListBuildsHandler', () => {
  const list = (id: string | undefined) =>
    ask(new ListBuilds({ caller: ada, window: builtIn, page: firstPage, selection: { ...allRepos, id } }));

  it('lists builds of an organization and of a repository', async () => {
    expect(await list(undefined)).toMatchObject({ value: { total_count: 1, builds: [{ fingerprint }] }, behind: 0 });
    expect(await list(ACME.repo.id)).toMatchObject({ value: { total_count: 1, builds: [{ trail_name: 'build-1' }] } });
  });
  it('lists none of an unknown repository', async () =>
    expect(await list('nobody')).toMatchObject({ value: { total_count: 0, builds: [] } }));
});

describe('GetBuildStatisticsHandler', () => {
  it('answers when builds were reported', async () => {
    const query = new GetBuildStatistics({ caller: ada, window: builtIn, selection: allRepos });
    expect(await ask(query)).toMatchObject({ value: { total_count: 1, created_at: [ACME.at / 1_000] }, behind: 0 });
  });
});
