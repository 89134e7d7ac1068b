import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';

/** `incomplete`: a part of the list was missing, so no report was sent. */
export type Result = 'sent' | 'incomplete' | 'refused' | 'unreachable';
const RESULTS: readonly Result[] = ['sent', 'incomplete', 'refused', 'unreachable'];

/** Serves `/metrics`, and `/live`: 200, or 503 where the process should start again. */
export function serveMetrics(registry: Registry, host: string, port: number, isLive = () => true): Server {
  return createServer((request, response) => {
    if (request.url === '/live') return void response.writeHead(isLive() ? 200 : 503).end();
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    void registry.metrics().then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text));
  }).listen(port, host);
}

export class Metrics {
  private readonly registry = new Registry();
  private readonly reports = new Counter({
    name: 'assurance_reporter_reports_total',
    help: 'Reports by what became of them.',
    labelNames: ['environment', 'kind', 'result'] as const,
    registers: [this.registry],
  });
  private readonly success = new Gauge({
    name: 'assurance_reporter_last_success_timestamp_seconds',
    help: 'When the service last took a report.',
    labelNames: ['environment', 'kind'] as const,
    registers: [this.registry],
  });
  private readonly artifacts = new Gauge({
    name: 'assurance_reporter_items',
    help: 'Items of the last complete list.',
    labelNames: ['environment', 'kind'] as const,
    registers: [this.registry],
  });

  /** When the last look at each environment ended, complete or not (milliseconds of `performance.now()`). */
  private readonly lookedAt = new Map<string, number>();

  constructor(environments: readonly { readonly environment: string; readonly kind: string }[]) {
    for (const { environment, kind } of environments) {
      this.countLook(environment);
      for (const result of RESULTS) this.reports.inc({ environment, kind, result }, 0);
      this.success.set({ environment, kind }, 0);
    }
  }

  count(environment: string, kind: string, result: Result): void {
    this.reports.inc({ environment, kind, result });
    if (result === 'sent') this.success.setToCurrentTime({ environment, kind });
  }

  countListed(environment: string, kind: string, items: number): void {
    this.artifacts.set({ environment, kind }, items);
  }

  countLook(environment: string): void {
    this.lookedAt.set(environment, performance.now());
  }

  /** @param silenceMs the process is not live if no look at an environment ended for longer (milliseconds) */
  listen(host: string, port: number, silenceMs: number): Server {
    const isLive = () => [...this.lookedAt.values()].every((at) => performance.now() - at <= silenceMs);
    return serveMetrics(this.registry, host, port, isLive);
  }

  /** Atomically writes a file for the textfile collector of node_exporter. */
  async write(path: string): Promise<void> {
    writeFileSync(`${path}.new`, await this.registry.metrics());
    renameSync(`${path}.new`, path);
  }
}
