import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Route } from '@assurance/contracts/http/route';
import { Answer } from '../answer';
import type { Call } from '../call';
import type { PipelineReply, PipelineRequest } from '../exchange';
import { routeOfMethod } from '../route.decorator';

/**
 * A route that is served directly, with its handler: a method of a controller, or a function that forwards to another
 * process.
 */
export type Handler = { readonly route: Route } & (
  | { readonly answer: (call: Call) => Promise<Answer> }
  | { readonly forward: (request: PipelineRequest, reply: PipelineReply) => unknown }
);

/** The controllers' methods for the routes that may be served directly (`Route.direct`). Their only parameter is the call. */
export function handlersIn(app: INestApplication): Handler[] {
  return [...app.get(ModulesContainer).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ instance }) => (instance === null || instance === undefined ? [] : handlersOf(instance as Methods)));
}

type Methods = Readonly<Record<string, ((call: Call) => unknown) | undefined>>;

function handlersOf(controller: Methods): Handler[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(controller));
  return names.flatMap((name) => {
    const method = controller[name];
    const route = typeof method === 'function' ? routeOfMethod(method) : undefined;
    if (method === undefined || route?.direct !== true) return [];
    if (method.length > 1) throw new Error(`${name} answers ${route.id} directly: its only parameter is the call`);
    const answer = async (call: Call) => {
      const result = await method.call(controller, call);
      if (!(result instanceof Answer)) throw new Error(`${route.id} was given no answer`);
      return result;
    };
    return [{ route, answer }];
  });
}
