import { randomBytes } from 'node:crypto';
import type { Caller } from './caller';
import { eventually } from './eventually';
import type { otlpReceiver, ReceivedSpan } from './otlp-receiver';
import { digest, item } from './samples';

/** Sends a report as a part of a trace of the caller's own. @returns the spans of that trace, once a view has taken the report */
export async function tracedReport(
  caller: Caller,
  { spans }: Awaited<ReturnType<typeof otlpReceiver>>,
): Promise<{ readonly spans: readonly ReceivedSpan[]; readonly sent: string }> {
  const [traceId, sent] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  await caller.expect(201, 'PUT', '/environments/acme', { json: { name: 'traced', type: 'docker' } });
  const headers = { traceparent: `00-${traceId}-${sent}-01` };
  const json = { artifacts: [item({ web: digest('traced') })] };
  await caller.expect(200, 'PUT', '/environments/acme/traced/report/docker', { json, headers });
  const whole = (all: readonly ReceivedSpan[]) =>
    ['PUT ', 'append ', 'process ingestion', 'process projection'].every((name) =>
      all.some((span) => span.name.startsWith(name)),
    );
  return {
    sent,
    spans: await eventually(() => Promise.resolve(spans.filter((span) => span.traceId === traceId)), whole),
  };
}

/** The names of the spans that lead to one of this name, from the trace's first on. */
export function pathTo(name: string, all: readonly ReceivedSpan[]): string[] {
  const path: string[] = [];
  for (let at = all.find((span) => span.name === name); at !== undefined;) {
    const { parentSpanId } = at;
    path.unshift(`${at.service}: ${at.name}`);
    at = all.find(({ spanId }) => spanId === parentSpanId);
  }
  return path;
}
