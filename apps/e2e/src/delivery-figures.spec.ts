import type { DeliveryFigures, DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import { artifact, digest, environment, flow, fresh, item, post, report, repository } from './support/samples';
import { onEveryDeployment } from './support/world';

const DAY = 86_400;
const now = Math.floor(Date.now() / 1_000);
const start = now - 7 * DAY;
const WINDOW = `start_ts=${start}&end_ts=${now}`;

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const all = async (query: string) => {
    const result: DeliveryFigures['figures'][number][] = [];
    for (let page = 1; ; page += 1) {
      const answer = await admin().get<DeliveryFigures>(`/deployments/acme/figures?per_page=50&page=${page}&${query}`);
      result.push(...answer.figures);
      if (page >= answer.total_pages) return { ...answer, figures: result };
    }
  };
  const of = ({ figures }: DeliveryFigures, name: string) => figures.find((row) => row.name === name);
  const runs = async (env: string, days: number, ...names: readonly string[]) => {
    const artifacts = names.map((name) => item({ [name]: digest(`${env} ${name}`) }, 0));
    const path = `/environments/acme/${env}/report/docker?observed_at=${now - days * DAY}`;
    await admin().expect(200, 'PUT', path, { json: { artifacts } });
  };

  it('are of each environment and repository what metrics say of it, with those of as much time before', async () => {
    const [busy, quiet] = [await environment(admin()), await environment(admin())];
    const [built, repo] = [await flow(admin()), repository()];
    for (const version of [1, 2, 3]) {
      await post(
        admin(),
        built,
        artifact(digest(`${busy} web:${version}`), { repo_info: repo, template_reference_name: 'web' }),
      );
    }
    await runs(busy, 13, 'web:0');
    await runs(busy, 10, 'web:1');
    await runs(busy, 4, 'web:2');
    await runs(busy, 3, 'web:3');
    await runs(busy, 2, 'web:2');
    await report(admin(), quiet, [item({ 'cache:1': digest(quiet) })]);
    const parent = fresh('logical');
    const json = { name: parent, type: 'logical', included_environments: [busy, quiet] };
    await admin().expect(201, 'PUT', '/environments/acme', { json });

    const environments = await all(`by=environment&${WINDOW}`);
    const repositories = await all(`by=repository&${WINDOW}`);
    const expectedFigures = { deployments: 3, rollbacks: 1, change_failure_rate: 1 / 3 };
    expect(of(environments, busy)).toMatchObject({
      ...expectedFigures,
      id: null,
      before: { deployments: 1, rollbacks: 0 },
    });
    expect(of(environments, parent)).toMatchObject(expectedFigures);
    expect(of(environments, quiet)).toMatchObject({
      deployments: 0,
      change_failure_rate: null,
      lead_time: null,
      before: { deployments: 0, change_failure_rate: null },
    });
    expect(of(repositories, repo.name)).toMatchObject({ ...expectedFigures, before: { deployments: 1, rollbacks: 0 } });
    for (const [figures, filter] of [
      [of(environments, busy), `env_name=${busy}`],
      [of(repositories, repo.name), `repo_name=${encodeURIComponent(repo.name)}`],
    ] as const) {
      const { totals } = await admin().get<DeploymentMetrics>(`/deployments/acme/metrics?${WINDOW}&${filter}`);
      expect(figures?.lead_time).toEqual(totals.lead_time);
    }
    expect(environments).toMatchObject({
      start: Math.floor(start / DAY) * DAY,
      total_count: environments.figures.length,
    });
    const names = environments.figures.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
  });

  it.each([
    ['by=flow', 'by'],
    ['per_page=51', 'per_page'],
    ['per_page=0', 'per_page'],
    ['time_zone=Nowhere', 'time_zone'],
    [`start_ts=${now}&end_ts=${now - 1}`, 'start_ts'],
    [`start_ts=${now - 367 * DAY}&end_ts=${now}`, 'start_ts'],
  ])('are refused for %s', async (query, field) => {
    const { errors } = await admin().refused(400, 'GET', `/deployments/acme/figures?${query}`);
    expect(errors).toHaveProperty([field]);
  });
});
