import { bodyLimit, bodyRemedy, DEFAULT_BODY_LIMITS } from './body-limits';
import { openApiDocument } from './openapi';
import { isEvidence, type Route } from './route';
import { routes } from './routes/routes';

const MiB = 1024 * 1024;

it('takes many megabytes for reports and evidence alone, and says the limit of each route in the OpenAPI document', () => {
  const { paths } = openApiDocument({ publicUrl: 'https://a.example.com', region: null }) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly responses?: Record<string, { description: string }> }>>>
    >;
  };
  for (const route of Object.values<Route>(routes)) {
    const isReport = route.id.startsWith('report') && route.path.includes('/report/');
    const limit = bodyLimit(route, DEFAULT_BODY_LIMITS);
    expect([route.id, limit > 2 * MiB]).toEqual([route.id, isReport || isEvidence(route)]);
    if (route.method === 'GET') continue;
    const path = route.path.replace('/api/v2', '').replace('...}', '}');
    const { description } = paths[path]?.[route.method.toLowerCase()]?.responses?.['413'] ?? {};
    expect(description).toContain(`limit of ${limit} bytes. ${bodyRemedy(route)}`);
  }
});

it('never takes more than the installation is configured to take', () => {
  for (const route of Object.values<Route>(routes)) {
    expect(bodyLimit(route, { ...DEFAULT_BODY_LIMITS, bodyBytes: 5_000 })).toBe(5_000);
    const { evidenceBytes } = DEFAULT_BODY_LIMITS;
    const most = bodyLimit(route, { bodyBytes: 100 * MiB, evidenceBytes: 2 * evidenceBytes });
    if (isEvidence(route)) expect(most).toBe(2 * evidenceBytes);
  }
  expect(bodyLimit(routes.reportDocker, { ...DEFAULT_BODY_LIMITS, bodyBytes: 100 * MiB })).toBe(100 * MiB);
});
