import { CannotStart } from '@assurance/http';
import { startTracer } from './tracer';

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

/** Makes spans, and sends them where the standard `OTEL_` variables say. */
export interface Tracing {
  /** @param parent the traceparent of the span that it belongs to; null begins a trace */
  begin(name: string, kind: SpanKind, parent: string | null, attributes: Attributes): Span;
  /** Sends the spans that were not sent yet. */
  close(): Promise<void>;
}

/** The standard variables that decide whether and where to (OpenTelemetry, environment variables); the exporter reads those of headers and TLS. */
const [ENDPOINT, TRACES_ENDPOINT] = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

/**
 * Tracing as the standard variables ask for it, null where none names an endpoint: then nothing of OpenTelemetry is loaded.
 *
 * @param service the name under which spans are found, unless `OTEL_SERVICE_NAME` gives another
 * @throws CannotStart when an endpoint is no URL
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
  return traces === null ? `${url.replace(/\/+$/, '')}/v1/traces` : url;
}
