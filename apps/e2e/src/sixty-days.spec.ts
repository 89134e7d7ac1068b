import type {
  DetailedDeployment,
  DetailedDeploymentPage,
  OrgDeployment,
  OrgDeploymentPage,
  RepoDeployment,
  RepoDeploymentPage,
} from '@assurance/contracts/deployments/answers/deployment';
import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import type { RepoPage } from '@assurance/contracts/flows/answers/repo';
import { expectedDeployments, type ObservedReport, expectedSnapshots } from './support/deployment-history';
import { artifact, environment, flow, post, repository } from './support/samples';
import { type BuiltVersion, sixtyDays } from './support/sixty-days';
import { onEveryDeployment } from './support/world';

const DAY = 86_400;
const KINDS = ['baseline', 'first', 'redeployment', 'restart', 'rollback'];
const COUNTED = ['first', 'rollback', 'redeployment'];

onEveryDeployment((world) => {
  const admin = () => world().as('admin');

  it('concludes what happened in 60 days from their reports', async () => {
    const begin = Math.floor(Date.now() / 1_000 / DAY) * DAY - 61 * DAY;
    const window = `start_ts=${begin - 100 * DAY}&end_ts=${begin + 61 * DAY}`;
    const envs = { production: await environment(admin(), { type: 'K8S' }), staging: await environment(admin()) };
    const { built, reports } = sixtyDays(begin, envs.production);
    const by = new Map(built.map((artifact) => [artifact.fingerprint, artifact]));
    const services = Object.fromEntries(
      await Promise.all(
        ['web', 'api', 'job'].map(async (name) => [name, { flow: await flow(admin()), repo: repository() }] as const),
      ),
    );
    const provenance = async ({ fingerprint, name, service, sha, committed }: BuiltVersion) => {
      const own = services[service ?? ''];
      if (own === undefined) return;
      const info = artifact(fingerprint).git_commit_info;
      await post(
        admin(),
        own.flow,
        artifact(fingerprint, {
          filename: name,
          git_commit: sha,
          git_commit_info: { ...info, sha1: sha, timestamp: committed },
          repo_info: own.repo,
          template_reference_name: 'app',
        }),
      );
    };
    for (const artifact of built) if (!artifact.isLate) await provenance(artifact);
    const replay = async (env: string, kind: string, all: readonly ObservedReport[]) => {
      for (const { at, runs } of all) {
        const artifacts = [...runs].flatMap(([fingerprint, { name, created }]) =>
          created.map((creationTimestamp, i) => ({
            digests: { [name]: fingerprint },
            creationTimestamp,
            ...(kind === 'K8S' ? { podName: `${name}-${i}`, namespace: 'shop', owners: null } : {}),
          })),
        );
        await admin().expect(200, 'PUT', `/environments/acme/${env}/report/${kind}?observed_at=${at}`, {
          json: { artifacts },
        });
      }
    };
    await Promise.all([
      replay(envs.production, 'K8S', reports['production'] ?? []),
      replay(envs.staging, 'docker', reports['staging'] ?? []),
    ]);
    for (const artifact of built) if (artifact.isLate) await provenance(artifact);

    // The expected results, computed from the story.
    const results = (['production', 'staging'] as const).flatMap((cluster) => {
      const provenanceOf = (fingerprint: string) => {
        const artifact = by.get(fingerprint);
        return artifact === undefined || artifact.service === null || artifact.isLate ? null : artifact.committed;
      };
      const fromOf = (fingerprint: string) => {
        const service = by.get(fingerprint)?.service ?? null;
        return service === null ? null : { repo: service, flow: service, template: 'app' };
      };
      return expectedDeployments(expectedSnapshots(reports[cluster] ?? [], provenanceOf), fromOf).map((deployment) => {
        const { service = null, committed = 0 } = by.get(deployment.fingerprint) ?? {};
        const lead = service === null || deployment.start < committed ? null : deployment.start - committed;
        return { ...deployment, env: envs[cluster], service, lead };
      });
    });
    const ordered = results.toSorted(
      (a, b) =>
        b.start - a.start ||
        b.snapshot - a.snapshot ||
        (a.env === b.env ? 0 : a.env < b.env ? -1 : 1) ||
        (a.fingerprint < b.fingerprint ? -1 : 1),
    );
    const ofKind = (kind: string) => ordered.filter((deployment) => deployment.kind === kind);
    expect([...new Set(results.map(({ kind }) => kind))].sort()).toEqual(KINDS);
    expect(ofKind('rollback').length).toBeGreaterThanOrEqual(3);

    // Starts and lead times.
    const listed = await allPages<OrgDeployment>(`/deployments/acme?${window}&per_page=50`, (query) =>
      admin().get<OrgDeploymentPage>(query),
    );
    const own = listed.filter(({ env_name }) => env_name === envs.production || env_name === envs.staging);
    expect(
      own.map((deployment) => [
        deployment.env_name,
        deployment.snapshot_index,
        deployment.fingerprint,
        deployment.deployed_at,
        deployment.lead_time,
      ]),
    ).toEqual(
      ordered.map(({ env, snapshot, fingerprint, start, lead }) => [
        env,
        snapshot,
        fingerprint,
        start,
        lead ?? undefined,
      ]),
    );

    // Kinds, all and each by itself.
    const environmentsQuery = `env_name=${envs.production}&env_name=${envs.staging}`;
    for (const kind of [null, ...KINDS]) {
      const query = `/deployments/acme/detailed?${window}&${environmentsQuery}&per_page=7${kind === null ? '' : `&kind=${kind}`}`;
      const result = await allPages<DetailedDeployment>(query, (page) => admin().get<DetailedDeploymentPage>(page));
      expect(
        result.map((deployment) => [
          deployment.env_name,
          deployment.snapshot_index,
          deployment.fingerprint,
          deployment.kind,
        ]),
      ).toEqual(
        (kind === null ? ordered : ofKind(kind)).map((deployment) => [
          deployment.env,
          deployment.snapshot,
          deployment.fingerprint,
          deployment.kind,
        ]),
      );
    }

    // What each replaced.
    for (const [service, { repo }] of Object.entries(services)) {
      const { repos } = await admin().get<RepoPage>(`/repos/acme?name=${encodeURIComponent(repo.name)}`);
      const result = await allPages<RepoDeployment>(
        `/repos/acme/${repos[0]?.id}/deployments?${window}&per_page=50`,
        (query) => admin().get<RepoDeploymentPage>(query),
      );
      expect(
        result.map(({ env_name, snapshot_index, fingerprint, replaced_artifact }) => [
          env_name,
          snapshot_index,
          fingerprint,
          replaced_artifact && [replaced_artifact.fingerprint, replaced_artifact.snapshot_index],
        ]),
      ).toEqual(
        ordered
          .filter((deployment) => deployment.service === service)
          .map(({ env, snapshot, fingerprint, replaced }) => [
            env,
            snapshot,
            fingerprint,
            replaced && [replaced.fingerprint, replaced.snapshot],
          ]),
      );
    }
    expect(results.filter(({ replaced }) => replaced !== null).length).toBeGreaterThan(20);

    // All figures, of both environments, of each, and of each repository.
    const figures = async (query: string, some: typeof results) => {
      const days = `start_ts=${begin - 60 * DAY}&end_ts=${begin + 61 * DAY}`;
      const { totals, buckets, relative_error } = await admin().get<DeploymentMetrics>(
        `/deployments/acme/metrics?${days}&${query}`,
      );
      const counted = some.filter(({ kind }) => COUNTED.includes(kind));
      const leads = some.flatMap(({ kind, lead }) => (kind === 'first' && lead !== null ? [lead] : []));
      expect([totals.deployments, totals.rollbacks, totals.lead_time?.count ?? 0]).toEqual([
        counted.length,
        some.filter(({ kind }) => kind === 'rollback').length,
        leads.length,
      ]);
      expect(totals.lead_time?.mean ?? 0).toBeCloseTo(
        leads.reduce((sum, lead) => sum + lead, 0) / Math.max(1, leads.length),
        3,
      );
      const sorted = leads.toSorted((a, b) => a - b);
      for (const [name, share] of Object.entries({ p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9 })) {
        const exact = sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
        const figure = totals.lead_time?.[name as 'p50'] ?? 0;
        expect(Math.abs(figure - exact)).toBeLessThanOrEqual(exact * relative_error + 0.001);
      }
      // Each day by itself: no figure is in another one.
      for (const { start, end, deployments, rollbacks, lead_time } of buckets) {
        const within = counted.filter((deployment) => deployment.start >= start && deployment.start < end);
        const own = within.flatMap(({ kind, lead }) => (kind === 'first' && lead !== null ? [lead] : []));
        const back = within.filter(({ kind }) => kind === 'rollback').length;
        expect([deployments, rollbacks, lead_time?.count ?? 0]).toEqual([within.length, back, own.length]);
      }
      return totals;
    };
    const all = await figures(environmentsQuery, results);
    const each = [];
    for (const env of Object.values(envs))
      each.push(
        await figures(
          `env_name=${env}`,
          results.filter((deployment) => deployment.env === env),
        ),
      );
    expect(all.deployments).toBe(each.reduce((sum, { deployments }) => sum + deployments, 0));
    for (const [service, { flow: name, repo }] of Object.entries(services)) {
      const some = results.filter((deployment) => deployment.service === service);
      await figures(`repo_name=${encodeURIComponent(repo.name)}`, some);
      const { last_deployment_at } = await admin().get<{ last_deployment_at: number | null }>(`/flows/acme/${name}`);
      const counted = some.filter(({ kind }) => COUNTED.includes(kind));
      expect(last_deployment_at).toBe(Math.max(...counted.map(({ start }) => start)));
    }
  }, 300_000);
});

/** The rows of all pages of a list. */
async function allPages<Row>(
  query: string,
  get: (query: string) => Promise<{ readonly total_pages: number; readonly deployments: readonly Row[] }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const result = await get(`${query}&page=${page}`);
    pages = result.total_pages;
    rows.push(...result.deployments);
  }
  return rows;
}
