import { CannotStart } from '@assurance/http';
import { trimEnd } from '@assurance/kernel';
import { messageOf } from '../error-code';

/** The attributes of a span. */
export type Attributes = Readonly<Record<string, string | number>>;

/** One piece of work in a trace. */
export interface Span {
  /** The `traceparent` for the next process or step (W3C Trace Context). */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  /** @param fault the error, if it failed */
  end(fault?: unknown): void;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

/** Makes spans, and sends them to the endpoint that the standard `OTEL_` variables name. */
export interface Tracing {
  /** @param parent the traceparent of the parent span; null begins a trace */
  begin(name: string, kind: SpanKind, parent: string | null, attributes: Attributes): Span;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** The standard variables with the endpoint (OpenTelemetry, environment variables). The exporter itself reads the variables of headers and TLS. */
const [ENDPOINT, TRACES_ENDPOINT] = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Opens tracing as the standard variables configure it. Null if no variable names an endpoint, or if they turn tracing off;
 * OpenTelemetry is not loaded then.
 *
 * @param service the service name of spans, unless `OTEL_SERVICE_NAME` gives another
 * @throws CannotStart if the endpoint is not an http or https URL
 */
export async function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  service: string,
): Promise<Tracing | null> {
  const off = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  const url = off ? null : endpointOf(env);
  if (url === null) return null;
  return startTracer(url, env['OTEL_SERVICE_NAME'] || service);
}

function endpointOf(env: Readonly<Record<string, string | undefined>>): string | null {
  const [all, traces] = [env[ENDPOINT] || null, env[TRACES_ENDPOINT] || null];
  const [name, url] = traces === null ? [ENDPOINT, all] : [TRACES_ENDPOINT, traces];
  if (url === null) return null;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CannotStart(`${name} must be an http or https URL, such as http://localhost:4318.`);
  }
  return traces === null ? `${trimEnd(url, /\//)}/v1/traces` : url;
}

/** Sends spans by OTLP over HTTP in batches, and drops them if the endpoint does not accept them. Only this function loads OpenTelemetry. */
async function startTracer(url: string, service: string): Promise<Tracing> {
  const [api, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  const { isSpanContextValid, ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags } = api;
  const kinds: Readonly<Record<SpanKind, number>> = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    producer: api.SpanKind.PRODUCER,
    consumer: api.SpanKind.CONSUMER,
  };
  const contextOf = (parent: string | null) => {
    const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(parent ?? '') ?? [];
    const remote = { traceId, spanId, traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
    return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  };
  const exporter = new OTLPTraceExporter({ url });
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('assurance');
  return {
    begin(name, kind, parent, attributes) {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, contextOf(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        set: (more) => void span.setAttributes(more),
        end(fault) {
          if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(fault) });
          span.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}
