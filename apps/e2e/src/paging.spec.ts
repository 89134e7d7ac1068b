import { may, type Permission } from '@assurance/contracts/http/roles';
import { everyRoute, pathOf } from './support/every-route';
import { environment } from './support/samples';
import { onEveryDeployment } from './support/world';

/** Lists whose pages have 50 items at most. */
const SMALL = new Set([
  'listBuilds',
  'getDeliveryFigures',
  'listDeployments',
  'listDetailedDeployments',
  'listRepoDeployments',
  'listSnapshots',
]);
/** What a question for components is about. */
const QUESTION: Readonly<Record<string, string>> = { findComponents: 'name=log4j&' };
/** Lists whose pages clients know without a limit. */
const LARGE = new Set(['listArtifacts', 'listFlowArtifacts', 'listFlowAttestations']);

onEveryDeployment((world) => {
  let env: string;
  beforeAll(async () => void (env = await environment(world().as('admin'))));

  // The log of memberships has limits of its own, and a spec.
  const paged = everyRoute
    .filter(({ permission }) => !['public', 'self', 'invitation'].includes(permission))
    .filter(({ query, id }) => 'page' in query && id !== 'listMembershipEvents')
    .map((route) => [route.id, route] as const);

  it.each(paged)('%s accepts pages from 1 with a limited number of items', async (_, route) => {
    const path = pathOf(route).replace('some-env', env);
    const reader = world().as(may('reader', route.permission as Permission) ? 'reader' : 'admin');
    // Specification 8.
    const most = SMALL.has(route.id) ? 50 : LARGE.has(route.id) ? 500 : 100;
    const needed = Object.entries(route.query).flatMap(([name, { required }]) => (required ? [`${name}=${env}&`] : []));
    const query = `${path}?${QUESTION[route.id] ?? ''}${needed.join('')}`;
    for (const [name, value] of [
      ['page', '0'],
      ['page', '1.0'],
      ['per_page', String(most + 1)],
      ['per_page', '-1'],
      ['per_page', '1&per_page=2'],
    ] as const) {
      const { message, errors } = await reader.refused(400, 'GET', `${query}${name}=${value}`);
      expect([message, Object.keys(errors ?? {})]).toEqual([
        expect.stringMatching(/^Input payload validation failed: /),
        [name],
      ]);
    }
    if (path.includes('/some-') || needed.length > 0) return;
    await reader.get(`${query}page=1&per_page=${most}`);
    await reader.get(`${query}page=999999&per_page=1`);
    const none = await reader.send('GET', `${query}per_page=0`);
    expect(none.status).toBe(/^list((Detailed)?Deployments|Builds)$/.test(route.id) ? 200 : 400);
  });
});
