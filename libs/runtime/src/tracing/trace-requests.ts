import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from './tracing';

const current = new AsyncLocalStorage<Span>();

/** The span of the current request; null outside of requests. */
export function currentSpan(): Span | null {
  return current.getStore() ?? null;
}

/** Makes a span for each request, in the caller's trace if there is one. A forwarded request carries this span. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? '';
    const traceparent = headers['traceparent'];
    const attributes = { 'http.request.method': method, 'http.route': route };
    const parent = typeof traceparent === 'string' ? traceparent : null;
    const span = tracing.begin(`${method} ${route}`.trim(), 'server', parent, attributes);
    spans.set(request, span);
    headers['traceparent'] = span.traceparent;
    current.run(span, done);
  });
  // The current span is lost while Fastify reads a body, so it is set again.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else current.run(span, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    span?.end(reply.statusCode >= 500 ? new Error(`answered with ${reply.statusCode}`) : undefined);
    done();
  });
}
