import { bodyLimit } from './body-limits';
import { openApiDocument } from './openapi';
import type { Route } from './route';
import { routes } from './routes';

const MiB = 1024 * 1024;

it('takes megabytes for reports alone, and says the limit of each route in the OpenAPI document', () => {
  const { paths } = openApiDocument({ publicUrl: 'https://a.example.com', region: null }) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly responses?: Record<string, { description: string }> }>>>
    >;
  };
  for (const route of Object.values<Route>(routes)) {
    const isReport = route.id.startsWith('report') && route.path.includes('/report/');
    const limit = bodyLimit(route, 32 * MiB);
    expect([route.id, limit > MiB]).toEqual([route.id, isReport]);
    if (route.method === 'GET') continue;
    const path = route.path.replace('/api/v2', '').replace('...}', '}');
    const { description } = paths[path]?.[route.method.toLowerCase()]?.responses?.['413'] ?? {};
    expect(description).toContain(`limit of ${limit} bytes`);
  }
});

it('never takes more than the installation is configured to take', () => {
  for (const route of Object.values<Route>(routes)) expect(bodyLimit(route, 5_000)).toBe(5_000);
  expect(bodyLimit(routes.reportDocker, 100 * MiB)).toBe(100 * MiB);
});
