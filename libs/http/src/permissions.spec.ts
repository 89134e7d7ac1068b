import { Controller, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { ROLES } from '@assurance/contracts/access/events';
import { PERMISSIONS } from '@assurance/contracts/http/roles';
import type { Route as RouteDefinition } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { err, ok } from '@assurance/kernel';
import { answer } from './answer';
import type { Identify } from './identify';
import { httpAdapter, installPipeline } from './pipeline';
import { Route } from './route.decorator';
import { DEFAULT_LIMITS } from './testing/default-limits';

const table: readonly RouteDefinition[] = Object.values(routes);

/** Answers every route of the table with its own method, which says that it was reached. */
class AllRoutes {}
for (const route of table) {
  const method = { value: () => answer(200, `reached ${route.id}`), writable: true };
  Object.defineProperty(AllRoutes.prototype, route.id, method);
  Route(route)(AllRoutes.prototype, route.id, method);
}
Controller()(AllRoutes);

/** The key names the role. */
const identify: Identify = ({ authorization, org }) => {
  const role = ROLES.find((candidate) => authorization[0] === `Bearer ${candidate}`);
  if (role === undefined) return Promise.resolve(err('unauthenticated' as const));
  if (org !== null && org !== 'acme') return Promise.resolve(err('forbidden' as const));
  return Promise.resolve(
    ok({ org: { id: 'o1', name: 'acme' }, principal: { id: 'p1', kind: 'user', name: 'ada', role } }),
  );
};

describe('every route and every role', () => {
  let app: INestApplication;
  let fastify: FastifyInstance;

  beforeAll(async () => {
    const root = { module: class Root {}, controllers: [AllRoutes] };
    app = await NestFactory.create(root, httpAdapter(DEFAULT_LIMITS), { bodyParser: false, logger: false });
    const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const ids = { next: () => 'id', random: (bytes: number) => new Uint8Array(bytes) };
    await installPipeline(app, { identify, ids, limits: DEFAULT_LIMITS, logger: silent });
    await app.init();
    fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  });
  afterAll(() => app.close());

  /** Sends a valid request: the example of the route's body, and any names in its path and required parameters. */
  async function send({ method, path, query, body }: RouteDefinition, key: string | null, org = 'acme') {
    const requests = Object.entries(query).flatMap(([name, { required }]) => (required ? [`${name}=any`] : []));
    const url = `${path.replace('{org}', org).replace(/\{\w+(\.\.\.)?\}/g, 'any')}?${requests.join('&')}`;
    const request: InjectOptions = { method, url, headers: key === null ? {} : { authorization: `Bearer ${key}` } };
    if (body?.kind === 'json') {
      request.payload = JSON.stringify(body.example);
      request.headers = { ...request.headers, 'content-type': 'application/json' };
    } else if (body?.kind === 'multipart') {
      request.payload = `--b\r\nContent-Disposition: form-data; name="${body.field}"\r\n\r\n${JSON.stringify(body.example)}\r\n--b--\r\n`;
      request.headers = { ...request.headers, 'content-type': 'multipart/form-data; boundary=b' };
    }
    const reply = await fastify.inject(request);
    return reply.statusCode === 200 ? reply.body.replace(/"/g, '') : reply.statusCode;
  }

  describe.each(table)('$method $path', (route) => {
    const { permission, id } = route;

    it.each(ROLES)('%s', async (role) => {
      const open =
        permission === 'public' || permission === 'self' || permission === 'invitation' || permission === 'gateway';
      const allowed: readonly string[] = open ? ROLES : PERMISSIONS[permission];
      expect(await send(route, role)).toBe(allowed.includes(role) ? `reached ${id}` : 403);
    });

    it('no key, a wrong key, a key of another organization', async () => {
      const open = permission === 'public' ? `reached ${id}` : null;
      expect(await send(route, null)).toBe(open ?? 401);
      expect(await send(route, 'nobody')).toBe(open ?? 401);
      // Routes about the caller alone do not look up `{org}`.
      const elsewhere = permission === 'self' || permission === 'invitation' ? `reached ${id}` : 403;
      expect(await send(route, 'admin', 'other')).toBe(open ?? elsewhere);
    });
  });
});
