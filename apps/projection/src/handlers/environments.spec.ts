import { ListDeployments, ListDetailedDeployments, ListRepoDeployments } from '@assurance/deployments/read/deployments';
import {
  GetDeployment,
  GetDeploymentFrequency,
  ListEnvironmentDeployments,
} from '@assurance/deployments/read/environment-deployments';
import { GetDeliveryFigures } from '@assurance/deployments/read/compared';
import { GetDeploymentMetrics } from '@assurance/deployments/read/metrics';
import { GetRepoDeploymentStatistics } from '@assurance/deployments/read/repo-statistics';
import { ListAllAllowedArtifacts, ListAllowedArtifacts } from '@assurance/environments/read/allowed';
import { ListEnvironments } from '@assurance/environments/read/catalogue';
import { CompareEnvironments, DiffEnvironments } from '@assurance/environments/read/compare';
import { GetEnvironmentAuditLog } from '@assurance/environments/read/environment-audit-log';
import { ListEnvironmentEvents } from '@assurance/environments/read/environment-events';
import { FindAnything } from '@assurance/environments/read/find-anything';
import { GetEnvironment, GetSnapshot, ListSnapshots } from '@assurance/environments/read/environments';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { err, ok } from '@assurance/kernel';
import type {} from '@assurance/policies/read/policies';
import { ACME } from '@assurance/testing/recorded/acme';
import { ada, atAcme, firstPage } from '../testing/acme';

const ask = atAcme();
const { fingerprint } = ACME;
const start = ACME.at / 1_000 - 60;
const window = { start, end: start + 3_600 };
const unknown = err({ kind: 'environment-unknown', org: 'acme', name: 'nobody' });

describe('GetEnvironmentHandler', () => {
  it('answers an environment', async () => {
    expect(await ask(new GetEnvironment({ caller: ada, name: 'production' }))).toMatchObject(
      ok({ name: 'production', type: 'docker' }),
    );
  });
  it('refuses an unknown environment', async () => {
    expect(await ask(new GetEnvironment({ caller: ada, name: 'nobody' }))).toEqual(unknown);
  });
});

describe('ListAllowedArtifactsHandler', () => {
  it('lists the allowed artifacts of an environment when there are none', async () => {
    expect(
      await ask(new ListAllowedArtifacts({ caller: ada, environment: 'production', page: firstPage })),
    ).toMatchObject(ok({ page: { page: 1, total_pages: 0, total_count: 0, artifacts: [] } }));
  });
  it('refuses an unknown environment', async () => {
    expect(await ask(new ListAllowedArtifacts({ caller: ada, environment: 'nobody', page: firstPage }))).toEqual(
      unknown,
    );
  });
});

describe('ListAllAllowedArtifactsHandler', () => {
  it('lists the allowed artifacts of all environments when there are none', async () =>
    expect(await ask(new ListAllAllowedArtifacts({ caller: ada }))).toEqual({ entries: [], count: 0 }));
});

describe('ListEnvironmentsHandler', () => {
  const filter = { types: [], states: [], tags: [], spaces: [], sort: 'name', direction: 'asc' } as const;

  it('lists environments, as a page and as a whole', async () => {
    const page = await ask(new ListEnvironments({ caller: ada, filter, page: firstPage }));
    expect(page).toMatchObject({ body: { total_count: 1, environments: [{ name: 'production' }] }, count: 1 });
    expect(await ask(new ListEnvironments({ caller: ada, filter, page: null }))).toMatchObject({
      body: [{ name: 'production' }],
    });
  });
  it('lists nothing that the filter excludes', async () => {
    const result = await ask(new ListEnvironments({ caller: ada, filter: { ...filter, types: ['K8S'] }, page: null }));
    expect(result).toEqual({ body: [], count: 0, ends: null });
  });
});

describe('FindAnythingHandler', () => {
  const PRINCIPAL = { id: ada.actor, kind: 'user', name: 'ada', role: 'reader' } as const;
  const find = async (text: string) =>
    (await ask(new FindAnything({ caller: ada, principal: PRINCIPAL, text, limit: 5 }))).value;

  it('finds what has a text in its name', async () => {
    const { results, complete } = await find('prod');
    expect(results).toEqual([expect.objectContaining({ kind: 'environment', name: 'production', found_in: 'name' })]);
    expect(complete).toBe(true);
  });
  it('finds nothing of another text', async () => {
    expect(await find('no such thing')).toEqual({ results: [], complete: true });
  });
});

describe('GetSnapshotHandler', () => {
  const all = { show: 'all', search: undefined, cause: undefined, page: null } as const;
  const get = async (environment: string, expression: string) => {
    const result = await ask(new GetSnapshot({ caller: ada, environment, expression, selection: all }));
    return result.ok ? result.value.make() : result;
  };

  it('answers a snapshot by its number and the newest one', async () => {
    expect(await get('production', '1')).toMatchObject(ok({ index: 1, artifacts: [{ fingerprint }] }));
    expect(await get('production', '-1')).toMatchObject(
      ok({ index: 2, artifacts: [{ fingerprint, annotation: { type: 'exited' } }] }),
    );
  });
  it('refuses an unknown environment, an unknown snapshot and an expression that cannot be read', async () => {
    expect(await get('nobody', '1')).toEqual(unknown);
    expect(await get('production', '3')).toMatchObject(err({ kind: 'snapshot-unknown', count: 2 }));
    expect(await get('production', 'x')).toMatchObject(err({ kind: 'invalid', errors: { expr: expect.any(String) } }));
  });
});

describe('ListSnapshotsHandler', () => {
  const list = (environment: string, interval?: string) =>
    ask(new ListSnapshots({ caller: ada, environment, page: firstPage, interval, oldestFirst: true }));

  it('lists snapshots, oldest first', async () => {
    expect(await list('production')).toMatchObject(ok({ items: [{ index: 1 }, { index: 2 }] }));
  });
  it('refuses an unknown environment and an interval that cannot be read', async () => {
    expect(await list('nobody')).toEqual(unknown);
    expect(await list('production', 'x')).toMatchObject(err({ kind: 'invalid' }));
  });
});

describe('ListEnvironmentEventsHandler', () => {
  const list = (environment: string, repos: readonly string[] = []) =>
    ask(
      new ListEnvironmentEvents({
        caller: ada,
        environment,
        page: firstPage,
        range: {},
        repoNames: repos,
        oldestFirst: true,
      }),
    );

  it('lists what started and exited, oldest first', async () => {
    expect(await list('production')).toMatchObject(
      ok({ value: [{ snapshot_index: 1 }, { snapshot_index: 2 }], behind: 0 }),
    );
  });
  it('lists nothing of a repository that does not exist', async () => {
    expect(await list('production', ['nobody'])).toMatchObject(ok({ value: [] }));
  });
  it('refuses an unknown environment', async () => expect(await list('nobody')).toEqual(unknown));
});

describe('DiffEnvironmentsHandler', () => {
  const diff = async (left: string, right: string) => {
    const result = await ask(new DiffEnvironments({ caller: ada, snappish1: left, snappish2: right, page: null }));
    return result.ok ? result.value.make() : result;
  };

  it('compares two snapshots', async () => {
    const result = await diff('production#1', 'production#2');
    expect(result).toMatchObject(ok({ snappish1: { snapshot_id: 'production#1' } }));
  });
  it('refuses an unknown environment, an unknown snapshot and an expression that cannot be read', async () => {
    expect(await diff('nobody', 'production')).toEqual(unknown);
    expect(await diff('production#3', 'production')).toMatchObject(err({ kind: 'snapshot-unknown' }));
    expect(await diff('production', 'production@{x}')).toMatchObject(
      err({ kind: 'invalid', errors: { snappish2: expect.any(String) } }),
    );
  });
});

describe('CompareEnvironmentsHandler', () => {
  const compare = async (from: string, to: string, page = 1) => {
    const request = { kinds: [], page: { page, perPage: 1 } };
    const result = await ask(new CompareEnvironments({ caller: ada, from, to, request }));
    return result.ok ? result.value.make() : result;
  };

  it('pairs what runs in two snapshots, and counts it', async () => {
    const compared = { from: 'production#1', to: 'production#1', counts: { changed: 0, same: 1 }, total_count: 1 };
    expect(await compare('production#1', 'production#1')).toMatchObject(ok({ ...compared, pairs: [{ kind: 'same' }] }));
    expect(await compare('production#1', 'production#1', 2)).toMatchObject(ok({ ...compared, pairs: [] }));
  });
  it('refuses an unknown environment, an unknown snapshot and an expression that cannot be read', async () => {
    expect(await compare('nobody', 'production')).toEqual(unknown);
    expect(await compare('production#3', 'production')).toMatchObject(err({ kind: 'snapshot-unknown' }));
    expect(await compare('production', 'production@{x}')).toMatchObject(
      err({ kind: 'invalid', errors: { to: expect.any(String) } }),
    );
  });
});

describe('ListDeploymentsHandler', () => {
  const list = (repo?: string, environment?: string, tags: readonly string[] = []) =>
    ask(new ListDeployments({ caller: ada, window, page: firstPage, repoName: repo, environment, tags }));

  it('lists deployments of the organization, of a repository and of an environment', async () => {
    for (const result of [await list(), await list(ACME.repo.name), await list(undefined, 'production')]) {
      expect(result).toMatchObject({ value: { total_count: 1, deployments: [{ env_name: 'production' }] }, behind: 0 });
    }
  });
  it('lists nothing of a repository or an environment that does not exist, or of a tag that none has', async () => {
    for (const result of [
      await list('nobody'),
      await list(undefined, 'nobody'),
      await list(undefined, undefined, ['x']),
    ]) {
      expect(result).toMatchObject({ value: { total_count: 0, deployments: [] } });
    }
  });
});

describe('ListDetailedDeploymentsHandler', () => {
  const list = (kinds: ListDetailedDeployments['kinds'], cursor?: PageRequest['cursor']) => {
    const page = { ...firstPage, cursor: cursor ?? null };
    return ask(
      new ListDetailedDeployments({
        caller: ada,
        window,
        page,
        repoName: undefined,
        repoId: undefined,
        environments: [],
        tags: [],
        kinds,
      }),
    );
  };

  it('lists deployments of all kinds, and of those that are named', async () => {
    for (const result of [await list([]), await list(['baseline', 'first'])]) {
      expect(result).toMatchObject({ value: { total_count: 1, deployments: [{ kind: 'baseline' }] }, behind: 0 });
    }
  });
  it('lists nothing of other kinds, nor beyond the last row', async () => {
    expect(await list(['rollback'])).toMatchObject({ value: { total_count: 0, deployments: [] } });
    const beyond = { side: 'after', key: [0, 0, '', ''] } as const;
    expect(await list(['baseline'], beyond)).toMatchObject({ value: { total_count: 1, deployments: [] } });
  });
});

describe('ListRepoDeploymentsHandler', () => {
  const list = (repo: string) =>
    ask(new ListRepoDeployments({ caller: ada, repo, window, page: firstPage, environments: [] }));

  it('lists deployments of a repository by its id and by its name', async () => {
    for (const repo of [ACME.repo.id, ACME.repo.name]) {
      expect(await list(repo)).toMatchObject(ok({ value: { total_count: 1 } }));
    }
  });
  it('refuses an unknown repository', async () => {
    expect(await list('nobody')).toEqual(err({ kind: 'repo-unknown', name: 'nobody' }));
  });
});

describe('GetDeliveryFiguresHandler', () => {
  const get = (by: 'environment' | 'repository') => {
    const window = { from: 1_699_920_000, to: 1_700_006_400 };
    return ask(new GetDeliveryFigures({ caller: ada, by, window, page: { page: 1, perPage: 10 } }));
  };

  it('has a row for each environment, and no row for an artifact that runs nowhere', async () => {
    const { value } = await get('environment');
    const none = { deployments: 0, rollbacks: 0, change_failure_rate: null, lead_time: null };
    expect(value.figures).toContainEqual({ name: 'production', id: null, ...none, before: none });
    expect(value.total_count).toBe(value.figures.length);
  });
});

describe('GetDeploymentMetricsHandler', () => {
  const midnight = Date.UTC(2023, 10, 14) / 1_000;
  const bucket = { date: '2023-11-14', from: midnight, to: midnight + 86_400 };
  const get = (repo?: string) =>
    ask(new GetDeploymentMetrics({ caller: ada, buckets: [bucket], repoName: repo, environments: ['production'] }));

  it('counts no baseline, and no lead time of one', async () => {
    const { value } = await get();
    expect(value.totals).toMatchObject({ deployments: 0, lead_time: null });
    expect(value.buckets).toMatchObject([{ date: '2023-11-14', deployments: 0 }]);
  });
  it('counts nothing of a repository that does not exist', async () => {
    expect((await get('nobody')).value.totals).toMatchObject({ deployments: 0, lead_time: null });
  });
});

describe('GetDeploymentHandler', () => {
  const get = (environment: string, print = fingerprint) =>
    ask(new GetDeployment({ caller: ada, environment, fingerprint: print }));

  it('answers the newest deployment of an artifact', async () =>
    expect(await get('production')).toMatchObject(ok({ value: { fingerprint, snapshot_index: 1 }, behind: 0 })));
  it('refuses an unknown environment, and an artifact that was never deployed', async () => {
    expect(await get('nobody')).toEqual(unknown);
    expect(await get('production', 'f'.repeat(64))).toMatchObject(err({ kind: 'deployment-unknown' }));
  });
});

describe('ListEnvironmentDeploymentsHandler', () => {
  const list = (environment: string) =>
    ask(new ListEnvironmentDeployments({ caller: ada, environment, window, page: firstPage }));

  it('lists the deployments to an environment', async () =>
    expect(await list('production')).toMatchObject(ok({ value: { total_count: 1, deployments: [{ fingerprint }] } })));
  it('refuses an unknown environment', async () => expect(await list('nobody')).toEqual(unknown));
});

describe('GetDeploymentFrequencyHandler', () => {
  const get = (environment: string, flow?: string) =>
    ask(new GetDeploymentFrequency({ caller: ada, environment, window, flow }));

  it('counts neither baselines nor what other flows have', async () => {
    expect(await get('production')).toMatchObject(ok({ value: { env_name: 'production', deployments: 0 } }));
    expect(await get('production', 'nobody')).toMatchObject(ok({ value: { flow_id: 'nobody', deployments: 0 } }));
  });
  it('refuses an unknown environment', async () => expect(await get('nobody')).toEqual(unknown));
});

describe('GetRepoDeploymentStatisticsHandler', () => {
  const get = (repo: string) => ask(new GetRepoDeploymentStatistics({ caller: ada, repo, window, environments: [] }));

  it('has no moments of baselines', async () =>
    expect(await get(ACME.repo.id)).toMatchObject(ok({ value: { total_count: 0, environments: [] }, behind: 0 })));
  it('refuses an unknown repository', async () =>
    expect(await get('nobody')).toEqual(err({ kind: 'repo-unknown', name: 'nobody' })));
});

describe('GetEnvironmentAuditLogHandler', () => {
  const get = async (environment: string) => {
    const query = { environment, range: {}, filter: { types: [], flows: [] }, repoNames: [] };
    return ask(new GetEnvironmentAuditLog({ caller: ada, ...query }));
  };

  it('writes a line for each change, below the names of columns', async () => {
    const result = await get('production');
    if (!result.ok) throw new Error(result.refusal.kind);
    const pieces = [];
    for await (const piece of result.value.lines) pieces.push(piece);
    const lines = Buffer.concat(pieces).toString().split('\r\n');
    expect(lines.map((line) => line.split(',')[3])).toEqual(['"type"', '"exited"', '"started"', undefined]);
  });
  it('refuses an unknown environment', async () => expect(await get('nobody')).toEqual(unknown));
});
