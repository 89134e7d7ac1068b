import { applyDecorators, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Route as RouteDefinition } from '@assurance/contracts/http/route';

const ROUTE = Symbol('the route that a method answers');

/** Makes a method answer a route of the route table, which has the HTTP method and the path. The controller must not have a prefix. */
export function Route(route: RouteDefinition): MethodDecorator {
  return applyDecorators(
    RequestMapping({ path: nestPath(route.path), method: RequestMethod[route.method] }),
    RouteConfig({ contract: route }),
    SetMetadata(ROUTE, route),
  );
}

/** The route that a method of a controller answers; undefined for other methods. */
export function routeOfMethod(method: object): RouteDefinition | undefined {
  return Reflect.getMetadata(ROUTE, method) as RouteDefinition | undefined;
}

/** A path in Fastify's form. `{name}`, one segment, becomes `:name`. `{name...}`, the rest of the path with its slashes, becomes `*`. */
export function nestPath(path: string): string {
  return path.replace(/\{[a-zA-Z_]+\.\.\.\}$/, '*').replace(/\{([a-zA-Z_]+)\}/g, ':$1');
}

/** The name of the parameter that takes the rest of a path. */
export function restOf(path: string): string | null {
  return /\{([a-zA-Z_]+)\.\.\.\}$/.exec(path)?.[1] ?? null;
}
