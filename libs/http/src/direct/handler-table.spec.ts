import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { HandlerTable } from './handler-table';

const ALL = Object.values<Route>(routes);
const DIRECT = ALL.filter(({ direct }) => direct === true);
const handler = (route: Route) => ({ route, answer: () => Promise.reject(new Error(route.id)) });

describe('the routes that are served directly', () => {
  const table = new HandlerTable();
  DIRECT.forEach((route) => table.add(handler(route)));

  it.each(DIRECT.map((route) => [route.id, route] as const))(
    'hold for no address of another route: %s',
    (_id, { method, path }) => {
      const parts = path.split('/');
      const covers = (other: Route) => {
        const foreign = other.path.split('/');
        const isLiteral = (part = '') => !part.startsWith('{');
        const fits = foreign.every((part, i) => part === parts[i] || !isLiteral(part) || !isLiteral(parts[i]));
        return other.method === method && foreign.length === parts.length && fits;
      };
      // The framework prefers routes with literals. The table would hide a route with more of them.
      expect(ALL.filter(covers).map((other) => other.path)).toEqual([path]);
    },
  );

  it.each(DIRECT.map((route) => [route.id, route] as const))('are found, with their parameters: %s', (id, route) => {
    const url = route.path.replace(/\{(\w+)\}/g, 'a.$1');
    const result = table.find(route.method, url);
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, `a.${name}`]);
    expect([result?.handler.route.id, result?.params]).toEqual([id, Object.fromEntries(names)]);
  });

  it.each(DIRECT.map((route) => [route.id, route] as const))(
    'have a body of JSON and a short answer: %s',
    (_id, route) => {
      expect([route.body?.kind, route.media, route.plain, route.lasting]).toEqual([
        'json',
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  it.each([
    ['another method', 'GET', '/api/v2/environments/a/b/report/docker'],
    ['an unknown kind', 'PUT', '/api/v2/environments/a/b/report/podman'],
    ['a slash at the end', 'PUT', '/api/v2/environments/a/b/report/docker/'],
    ['an empty part', 'PUT', '/api/v2/environments//b/report/docker'],
    ['an escape', 'PUT', '/api/v2/environments/a/%62/report/docker'],
    ['a query', 'PUT', '/api/v2/environments/a/b/report/docker?c=d'],
    ['a fragment', 'PUT', '/api/v2/environments/a/b/report/docker#c'],
    ['a semicolon', 'PUT', '/api/v2/environments/a/b;c/report/docker'],
    ['a whole address', 'PUT', 'http://x/api/v2/environments/a/b/report/docker'],
    ['a long address', 'PUT', `/api/v2/environments/${'a'.repeat(1_000)}/b/report/docker`],
    ['no address', 'PUT', undefined],
  ])('are not found for %s', (_what, method, url) => expect(table.find(method, url)).toBeNull());
});
